#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0
from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: rocectl_profiles
short_description: Place profiles and variables on a host
description:
  - Writes each profile to a file of its name, and the variables to C(vars.json), each as a whole and only where it differs.
  - Everything in one run on the host, however many files there are. Files that are not named are left alone.
options:
  profiles:
    description: Profiles by name, as dictionaries.
    type: dict
    default: {}
  vars:
    description: The host's variables, with C(host) and C(ports). Without it C(vars.json) is left alone.
    type: dict
  folder:
    description: Where they are placed. It is made where it is not there; its parent has to be.
    type: path
    default: /etc/rocectl
attributes:
  check_mode:
    support: full
    description: Predicts what would be written.
  diff_mode:
    support: full
    description: Each file before and after.
author: The authors of rocectl
"""

EXAMPLES = r"""
- name: Place the profile of this site
  rocectl.rocectl.rocectl_profiles:
    profiles:
      site:
        format: 1
        name: site
        extends: [roce-v2-lossless]
        ports:
          - match: {name: "ens*"}
            addresses: ["${address}/31"]
    vars:
      ports:
        ens1f0np0: {address: 10.1.0.1}
"""

RETURN = r"""
written:
  description: The files that differed.
  returned: always
  type: list
  elements: str
"""

import json
import os

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.common.text.converters import to_text


def held(path):
    """What a file holds; nothing where it is not there."""
    try:
        with open(path, "rb") as file:
            return to_text(file.read(), errors="surrogate_or_replace")
    except FileNotFoundError:
        return None


def write(module, path, text):
    """Replaces a file as a whole."""
    beside = os.path.join(module.tmpdir, os.path.basename(path))
    with open(beside, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(beside, 0o644)
    module.atomic_move(beside, path)


def main():
    module = AnsibleModule(
        argument_spec=dict(
            profiles=dict(type="dict", default={}),
            vars=dict(type="dict"),
            folder=dict(type="path", default="/etc/rocectl"),
        ),
        supports_check_mode=True,
    )
    wanted = dict(module.params["profiles"])
    for name in wanted:
        if name != os.path.basename(name) or name in ("", ".", "..", "vars"):
            module.fail_json(msg="profiles: '%s' is no name of a profile" % name)
    if module.params["vars"] is not None:
        wanted["vars"] = module.params["vars"]

    folder = module.params["folder"]
    diffs = []
    try:
        if wanted and not os.path.isdir(folder) and not module.check_mode:
            os.mkdir(folder, 0o755)
        for name in sorted(wanted):
            path = os.path.join(folder, name + ".json")
            before, after = held(path), json.dumps(wanted[name], indent=2, sort_keys=True, ensure_ascii=False) + "\n"
            if before == after:
                continue
            diffs.append(dict(before=before or "", after=after, before_header=path, after_header=path))
            if not module.check_mode:
                write(module, path, after)
    except (IOError, OSError) as error:
        module.fail_json(msg=str(error), written=[one["after_header"] for one in diffs])
    module.exit_json(changed=bool(diffs), diff=diffs, written=[one["after_header"] for one in diffs])


if __name__ == "__main__":
    main()
