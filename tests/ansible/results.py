"""Prints each result as a line of JSON: host, task, failed, unreachable and what the module said."""
import json
import time

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = r"""
name: results
type: stdout
short_description: Results as lines of JSON
description: Prints each result as a line of JSON.
"""


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "stdout"
    CALLBACK_NAME = "results"

    def tell(self, result, failed=False, unreachable=False):
        line = {"host": result._host.get_name(), "task": result.task_name, "failed": failed, "unreachable": unreachable,
                "at": time.time(), "result": result._result}
        self._display.display(json.dumps(line, default=str))

    def v2_runner_on_ok(self, result):
        self.tell(result)

    def v2_runner_on_failed(self, result, ignore_errors=False):
        self.tell(result, failed=True)

    def v2_runner_on_unreachable(self, result):
        self.tell(result, unreachable=True)
