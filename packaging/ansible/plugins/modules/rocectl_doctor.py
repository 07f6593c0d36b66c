#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0
from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: rocectl_doctor
short_description: Find what is wrong with RoCE on a host
description:
  - Runs C(rocectl doctor), which never writes, and fails by what it found; see I(fail_on).
  - The message has the causes, with what was measured and the commands that fix them.
extends_documentation_fragment:
  - rocectl.rocectl.rocectl.profile
  - rocectl.rocectl.rocectl.executable
options:
  profile:
    description:
      - What the ports are meant to be.
      - Without it, what every RoCE v2 host needs.
    type: str
  fail_on:
    description:
      - With which verdicts of checks the module fails. The default is that of rocectl's exit status.
      - An empty list makes it report alone; it fails then only where the host could not be read, no check was made, or no port is one of a fabric.
    type: list
    elements: str
    choices: [warn, fail, unknown, crash]
    default: [fail, unknown, crash]
  only:
    description: Look for these findings or groups alone.
    type: list
    elements: str
    default: []
  skip:
    description: Leave these findings or groups out.
    type: list
    elements: str
    default: []
  window:
    description: Read the host twice, so long apart, such as C(10s), and look at what was counted in between.
    type: str
  since:
    description: Snapshot on the host to take for the first of two readings.
    type: path
  firmware:
    description: Ask the firmware of NICs too, by the kernel's fwctl.
    type: bool
    default: false
attributes:
  check_mode:
    support: full
    description: Reads the same.
  diff_mode:
    support: none
    description: Nothing is changed.
author: The authors of rocectl
"""

EXAMPLES = r"""
- name: Stop where a host has a fault
  rocectl.rocectl.rocectl_doctor:
    profile: site

- name: Report alone, warnings included
  rocectl.rocectl.rocectl_doctor:
    fail_on: []
  register: doctor

- name: Fail for warnings too, but leave traffic out
  rocectl.rocectl.rocectl_doctor:
    fail_on: [warn, fail, unknown, crash]
    skip: [traffic]
"""

RETURN = r"""
status:
  description: Exit status of rocectl.
  returned: always
  type: int
  sample: 0
causes:
  description: What nothing else explains, each with C(id), C(verdict), C(because), C(explains), C(test) and C(fix).
  returned: where the host could be read
  type: list
  elements: dict
checks:
  description: Each check with C(id), C(group), C(port), C(verdict) and what was C(found), or the C(reason).
  returned: where the host could be read
  type: list
  elements: dict
counts:
  description: How many checks ended so.
  returned: where the host could be read
  type: dict
  sample: {pass: 52, fail: 1, skip: 76}
ports:
  description: Those of the fabric.
  returned: where the host could be read
  type: list
  elements: str
cmd:
  description: What was run.
  returned: always
  type: list
  elements: str
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.rocectl.rocectl.plugins.module_utils.rocectl import EXECUTABLE, PROFILE, arguments, run, words_of

OF_DOCTOR = list(PROFILE) + ["only", "skip", "window", "since", "firmware"]


def told(cause):
    """A cause as a line: its finding, what was measured, and what fixes it."""
    ports = ", ".join(dict.fromkeys(one["port"] or "the host" for one in cause["because"]))
    because = "; ".join(dict.fromkeys(one["text"] for one in cause["because"]))
    line = "%s on %s: %s" % (cause["id"], ports, because)
    fix = "; ".join(cause["mend"]["commands"]) or cause["mend"]["text"]
    return line + (" (fix: %s)" % fix if fix else "")


def unmade(check):
    """A check that tells nothing, as a line."""
    return "%s on %s: %s" % (check["id"], check["port"] or "the host", check.get("reason") or check.get("found"))


def main():
    module = AnsibleModule(
        argument_spec=dict(
            profile=dict(type="str"),
            fail_on=dict(type="list", elements="str", choices=["warn", "fail", "unknown", "crash"],
                         default=["fail", "unknown", "crash"]),
            only=dict(type="list", elements="str", default=[]),
            skip=dict(type="list", elements="str", default=[]),
            window=dict(type="str"),
            since=dict(type="path"),
            firmware=dict(type="bool", default=False),
            **dict(PROFILE, **EXECUTABLE)
        ),
        supports_check_mode=True,
    )
    params = module.params
    words = ["doctor"] + ([params["profile"]] if params["profile"] else [])
    command, document, err = run(module, words + arguments(params, OF_DOCTOR))
    result = dict((key, value) for key, value in document.items() if key not in ("format", "command"))
    result.update(cmd=command, changed=False, stderr=err)
    checks = document.get("checks", [])
    made = [one for one in checks if one["verdict"] != "skip"]
    if not made:
        module.fail_json(msg=words_of(document, err) or "no check was made", **result)
    if document["status"] != 0 and not document["ports"]:
        module.fail_json(msg="no port of this host is one of a RoCE fabric", **result)
    if any(one["verdict"] in params["fail_on"] for one in made):
        lines = [told(one) for one in document["causes"] if one["verdict"] in params["fail_on"]]
        lines += [unmade(one) for one in made if one["verdict"] in ("unknown", "crash") and one["verdict"] in params["fail_on"]]
        module.fail_json(msg="; ".join(lines), **result)
    module.exit_json(**result)


if __name__ == "__main__":
    main()
