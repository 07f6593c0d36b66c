#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0
from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: rocectl_confirm
short_description: Keep what was applied with a confirmation
description:
  - Runs C(rocectl confirm). It fails where nothing waits to be confirmed, as after a host went back.
  - What it proves is that the host can be reached, so it is to come over a connection that was made after the apply; see the
    example of M(rocectl.rocectl.rocectl_apply).
  - In check mode it runs C(rocectl confirm --status), and does not fail where nothing waits.
extends_documentation_fragment:
  - rocectl.rocectl.rocectl.executable
options:
  status:
    description: Say what waits, and change nothing.
    type: bool
    default: false
  lock_timeout:
    description: How long to wait for another run that writes, such as C(60s).
    type: str
attributes:
  check_mode:
    support: full
    description: Says what waits.
  diff_mode:
    support: none
    description: There is nothing to compare.
author: The authors of rocectl
"""

EXAMPLES = r"""
- name: Keep what was applied
  rocectl.rocectl.rocectl_confirm:
"""

RETURN = r"""
status:
  description: Exit status of rocectl.
  returned: always
  type: int
  sample: 0
pending:
  description: What waits to be confirmed; none where nothing does, as after a confirmation.
  returned: where it could be read
  type: dict
cmd:
  description: What was run.
  returned: always
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.rocectl.rocectl.plugins.module_utils.rocectl import EXECUTABLE, arguments, run, words_of


def main():
    module = AnsibleModule(
        argument_spec=dict(status=dict(type="bool", default=False), lock_timeout=dict(type="str"), **EXECUTABLE),
        supports_check_mode=True,
    )
    looks = module.check_mode or module.params["status"]
    words = ["confirm"] + (["--status"] if looks else arguments(module.params, ["lock_timeout"]))
    command, document, err = run(module, words)
    result = dict(
        cmd=command, status=document["status"], pending=document.get("pending"), stderr=err,
        changed=document["status"] == 0 and not module.params["status"] and (not looks or bool(document.get("pending"))),
    )
    if document["status"] != 0:
        module.fail_json(msg=words_of(document, err) or "rocectl ended with %d" % document["status"], **result)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
