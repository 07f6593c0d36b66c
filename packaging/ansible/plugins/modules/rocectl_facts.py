#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0
from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: rocectl_facts
short_description: Read the state of a host's fabric
description:
  - Runs C(rocectl snapshot), which reads the whole state, or C(rocectl show), which reads what matters to RoCE.
  - Writes nothing.
  - A snapshot holds addresses, serial numbers, names of processes and lines of the kernel's log. See I(redact).
extends_documentation_fragment:
  - rocectl.rocectl.rocectl.executable
options:
  view:
    description: Which of the two is read.
    type: str
    choices: [show, snapshot]
    default: show
  port:
    description: Read this port alone; of C(show).
    type: str
  gids:
    description: Read the GIDs of RDMA ports instead, each with its index, version and address; of C(show).
    type: bool
    default: false
  gpus:
    description: Read the GPUs instead, and how far on the PCI bus each port is from them; of C(show).
    type: bool
    default: false
  firmware:
    description: Ask the firmware of NICs too, by the kernel's fwctl; of C(snapshot).
    type: bool
    default: false
  profiles:
    description: Read also what these profiles name, such as kernel parameters; of C(snapshot).
    type: list
    elements: str
    default: []
  redact:
    description: Replace addresses, names and serial numbers, the same by the same; of C(snapshot).
    type: bool
    default: false
  trust_files:
    description: Take profiles that others than root could have written; of C(snapshot).
    type: bool
    default: false
  time_limit:
    description: How long the whole may take, such as C(30s) or C(2m), where a driver may hang.
    type: str
attributes:
  check_mode:
    support: full
    description: Reads the same.
  diff_mode:
    support: none
    description: Nothing is changed.
  facts:
    support: full
    description: Returns ansible_facts.
author: The authors of rocectl
"""

EXAMPLES = r"""
- name: Read what matters to RoCE
  rocectl.rocectl.rocectl_facts:

- name: Read the whole state
  rocectl.rocectl.rocectl_facts:
    view: snapshot
    profiles: [site]

- name: Keep it in the repository, for rocectl plan --state
  ansible.builtin.copy:
    content: "{{ ansible_facts.rocectl | to_nice_json }}"
    dest: "states/{{ inventory_hostname }}.json"
    mode: "0644"
  delegate_to: localhost
"""

RETURN = r"""
ansible_facts:
  description: What was read.
  returned: success
  type: dict
  contains:
    rocectl:
      description: The document of rocectl, with C(host) and C(ports), or with C(gids) or C(gpus); every C(--state) takes that of a snapshot.
      type: dict
cmd:
  description: What was run.
  returned: always
  type: list
  elements: str
"""

import json

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.rocectl.rocectl.plugins.module_utils.rocectl import EXECUTABLE, arguments, present, run, words_of

OF_SHOW = ["gids", "gpus"]
OF_SNAPSHOT = ["firmware", "redact", "trust_files"]
OF_BOTH = ["time_limit"]


def snapshot(module):
    """The document that rocectl snapshot prints, for which -o names a file."""
    command = [module.params["executable"], "snapshot"] + module.params["profiles"] + arguments(module.params, OF_SNAPSHOT + OF_BOTH)
    present(module)
    code, out, err = module.run_command(command, expand_user_and_vars=False)
    try:
        return command, json.loads(out), err.strip()
    except ValueError:
        return command, dict(status=code, errors=[err.strip()]), err.strip()


def main():
    module = AnsibleModule(
        argument_spec=dict(
            view=dict(type="str", choices=["show", "snapshot"], default="show"),
            port=dict(type="str"),
            gids=dict(type="bool", default=False),
            gpus=dict(type="bool", default=False),
            firmware=dict(type="bool", default=False),
            profiles=dict(type="list", elements="str", default=[]),
            redact=dict(type="bool", default=False),
            trust_files=dict(type="bool", default=False),
            time_limit=dict(type="str"),
            **EXECUTABLE
        ),
        supports_check_mode=True,
    )
    params = module.params
    whole = params["view"] == "snapshot"
    for name in ["port"] + OF_SHOW if whole else ["profiles"] + OF_SNAPSHOT:
        if params[name]:
            module.fail_json(msg="%s: is not of view %s" % (name, params["view"]))
    if whole:
        command, document, err = snapshot(module)
    else:
        command, document, err = run(module, ["show"] + ([params["port"]] if params["port"] else []) + arguments(params, OF_SHOW + OF_BOTH))
    if document["status"] != 0:
        module.fail_json(msg=words_of(document, err), status=document["status"], cmd=command)
    module.exit_json(changed=False, cmd=command, ansible_facts=dict(rocectl=document))


if __name__ == "__main__":
    main()
