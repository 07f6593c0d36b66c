#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0
from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: rocectl_apply
short_description: Bring a host to what a profile says
description:
  - Runs C(rocectl apply), which writes what differs, reads each object back, verifies the whole, and brings the host back where
    that fails.
  - A second run writes nothing and is not changed.
  - In check mode it runs C(rocectl plan), which writes nothing. The diff is the same in both.
  - The module has failed where rocectl ends with anything but 0. This is also so where all is written but a port is not ready, such
    as one without a carrier; see I(settings_only).
extends_documentation_fragment:
  - rocectl.rocectl.rocectl.profile
  - rocectl.rocectl.rocectl.executable
options:
  profile:
    description:
      - Name of a profile in C(/etc/rocectl) or of a shipped one, or a file on the host.
    type: str
    required: true
  content:
    description:
      - What the profile's file is going to hold, where an earlier task of the same run places it.
      - In check mode such a task places nothing, so that the plan is made of this instead of the file. Profiles that it extends by
        name are read from the host.
    type: dict
  vars_content:
    description: The same of the file of variables.
    type: dict
  allow:
    description:
      - The most disruption that is accepted; C(link) where none is given, and C(queues) where others' queue pairs are on the port.
      - C(irreversible) beside it accepts what cannot be undone, C(unguarded) a confirmation that may end with its caller.
    type: list
    elements: str
    choices: [none, queues, link, reload, reset, reboot, irreversible, unguarded]
    default: []
  take:
    description: Write also what these owners write, by the names that C(rocectl plan) gives them.
    type: list
    elements: str
    default: []
  confirm:
    description:
      - Go back unless C(rocectl confirm) comes within so many seconds.
      - The module does not confirm. A later task with M(rocectl.rocectl.rocectl_confirm), over a new connection, does.
    type: int
  probe:
    description:
      - What must hold before the apply and as long as it waits for the confirmation, else the host goes back at once.
      - C(gateway), C(tcp:HOST:PORT), C(rdma:HOST) or C(command:PROGRAM ARGUMENT...).
    type: list
    elements: str
    default: []
  wait:
    description: How long ports may take to be ready, such as C(30s).
    type: str
  port:
    description:
      - Only what the profile states of this port, the bond above it and VLANs on either, and the modules of the host.
    type: str
  settings_only:
    description: Tell which ports are not ready, and do not fail for it.
    type: bool
    default: false
  lock_timeout:
    description: How long to wait for another run that writes, such as C(60s); without it, fail and name it.
    type: str
attributes:
  check_mode:
    support: full
    description: Predicts what a run would change.
  diff_mode:
    support: full
    description: Each setting before and after.
author: The authors of rocectl
"""

EXAMPLES = r"""
- name: Apply the profile of this site
  rocectl.rocectl.rocectl_apply:
    profile: site

- name: Apply, and go back unless the host can still be reached a minute later
  rocectl.rocectl.rocectl_apply:
    profile: site
    confirm: 60
  register: applied

- name: Leave the old connection, which may outlive the path to the host
  ansible.builtin.meta: reset_connection

- name: Keep it
  rocectl.rocectl.rocectl_confirm:
  when: applied.waits
"""

RETURN = r"""
status:
  description: Exit status of rocectl.
  returned: always
  type: int
  sample: 0
steps:
  description: The writes in their order, as in C(rocectl plan -o json).
  returned: where a plan could be made
  type: list
  elements: dict
findings:
  description: What there is to say beside the steps.
  returned: where a plan could be made
  type: list
  elements: dict
errors:
  description: Lines of what was wrong, where no plan could be made.
  returned: where no plan could be made
  type: list
  elements: str
outcomes:
  description: What became of the steps that were tried, with the kernel's C(refusal).
  returned: not in check mode
  type: list
  elements: dict
undone:
  description: What became of the steps back.
  returned: not in check mode
  type: list
  elements: dict
left_changed:
  description: What differs from before after the rollback.
  returned: not in check mode
  type: list
  elements: dict
ready:
  description: Whether no port is seen to be not ready.
  returned: where a plan could be made
  type: bool
entry:
  description: Number of the entry of C(rocectl history), none where nothing was written.
  returned: not in check mode
  type: int
waits:
  description: Whether the host goes back unless it is confirmed.
  returned: always
  type: bool
cmd:
  description: What was run.
  returned: always
  type: list
  elements: str
"""

import json
import os

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.rocectl.rocectl.plugins.module_utils.rocectl import (
    CLASSES, EXECUTABLE, PROFILE, arguments, costs, diff, run, words_of,
)

OF_PLAN = list(PROFILE) + ["port"]
OF_APPLY = OF_PLAN + ["allow", "take", "probe", "wait", "settings_only", "lock_timeout"]
# What apply does not write unless it is allowed to.
DEFAULT = "link"


def refused_by_allow(steps, allow):
    """The steps of a plan that apply would not make, as a sentence; empty where there are none."""
    granted = max([CLASSES.index(one) for one in allow if one in CLASSES] or [CLASSES.index(DEFAULT)])
    for step in steps:
        place = "%s: %s" % (step["port"], step["object"])
        if CLASSES.index(costs(step)) > granted:
            return "%s: costs %s, which allow does not accept" % (place, step["disruption"])
        if step["irreversible"] and "irreversible" not in allow:
            return "%s: cannot be undone, which allow does not accept" % place
    return ""


def written(module, name, content):
    """A file of this run alone that holds this, which Ansible removes."""
    path = os.path.join(module.tmpdir, name if name.endswith(".json") else name + ".json")
    with open(path, "w") as file:
        json.dump(content, file, indent=2)
    return path


def main():
    module = AnsibleModule(
        argument_spec=dict(
            profile=dict(type="str", required=True),
            content=dict(type="dict"),
            vars_content=dict(type="dict"),
            allow=dict(type="list", elements="str", choices=CLASSES + ["irreversible", "unguarded"], default=[]),
            take=dict(type="list", elements="str", default=[]),
            confirm=dict(type="int"),
            probe=dict(type="list", elements="str", default=[]),
            wait=dict(type="str"),
            port=dict(type="str"),
            settings_only=dict(type="bool", default=False),
            lock_timeout=dict(type="str"),
            **dict(PROFILE, **EXECUTABLE)
        ),
        supports_check_mode=True,
    )
    params = module.params
    if module.check_mode:
        if params["content"] is not None:
            params["profile"] = written(module, os.path.basename(params["profile"]), params["content"])
        if params["vars_content"] is not None:
            params["vars"] = written(module, "vars", params["vars_content"])
        command, document, err = run(module, ["plan", params["profile"]] + arguments(params, OF_PLAN))
        changed = bool(document.get("steps"))
    else:
        words = ["apply", params["profile"], "--yes"] + arguments(params, OF_APPLY)
        if params["confirm"] is not None:
            words += ["--confirm", "%ds" % params["confirm"]]
        command, document, err = run(module, words)
        changed = document.get("changed", False)

    result = dict((key, value) for key, value in document.items() if key not in ("format", "command"))
    result.update(cmd=command, changed=changed, stderr=err)
    result["waits"] = changed and not module.check_mode and params["confirm"] is not None and document["status"] in (0, 2)
    if changed:
        result["diff"] = diff(document.get("steps", []))
    refused = refused_by_allow(document.get("steps", []), params["allow"]) if module.check_mode else ""
    # With nothing to write, nothing makes the port ready.
    unready = document.get("ready") is False and not changed and not params["settings_only"]
    if refused or unready or document["status"] != 0:
        module.fail_json(msg=refused or words_of(document, err) or "rocectl ended with %d" % document["status"], **result)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
