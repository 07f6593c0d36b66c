# SPDX-License-Identifier: Apache-2.0
from __future__ import absolute_import, division, print_function

__metaclass__ = type


class ModuleDocFragment(object):
    # What every module that takes a profile has.
    PROFILE = r"""
options:
  set:
    description:
      - Variables of the profile by name.
      - They win over those of I(vars).
    type: dict
    default: {}
  vars:
    description:
      - File on the host with the profile's variables.
      - Without it C(/etc/rocectl/vars.json) where that exists.
    type: path
  trust_files:
    description: Take profiles and variables that others than root could have written.
    type: bool
    default: false
  time_limit:
    description:
      - How long one exchange with the kernel may take, such as C(30s) or C(2m).
      - In what only reads, how long the whole may take.
    type: str
"""

    EXECUTABLE = r"""
options:
  executable:
    description: The program on the host.
    type: str
    default: rocectl
requirements:
  - rocectl on the host
"""
