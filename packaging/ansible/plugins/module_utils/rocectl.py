# SPDX-License-Identifier: Apache-2.0
"""Runs rocectl on the host and makes a module's result of its one JSON document."""
from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json

EXECUTABLE = dict(executable=dict(type="str", default="rocectl"))
PROFILE = dict(
    set=dict(type="dict", default={}),
    vars=dict(type="path"),
    trust_files=dict(type="bool", default=False),
    time_limit=dict(type="str"),
)
# In the order in which rocectl orders them.
CLASSES = ["none", "queues", "link", "reload", "reset", "reboot"]


def costs(step):
    """The class of a step; what is not known counts as a lost link."""
    return "link" if step["disruption"] == "unknown" else step["disruption"]


def option(name):
    """The option of rocectl that an argument of a module is."""
    return "--" + name.replace("_", "-")


def arguments(params, names):
    """The words of a command line that say what the arguments of these names say."""
    words = []
    for name in names:
        value = params.get(name)
        if value is None or value is False or value == []:
            continue
        if value is True:
            words.append(option(name))
        elif isinstance(value, dict):
            for key in sorted(value):
                words += [option(name), "%s=%s" % (key, value[key])]
        elif isinstance(value, list):
            for one in value:
                words += [option(name), str(one)]
        else:
            words += [option(name), str(value)]
    return words


def present(module):
    """Ends the module where the program is not there, as in check mode before it was installed."""
    module.get_bin_path(module.params["executable"], required=True)


def run(module, words):
    """Runs rocectl with -o json: its document, with what it said on standard error beside it."""
    command = [module.params["executable"]] + words + ["-o", "json"]
    present(module)
    code, out, err = module.run_command(command, environ_update={"NO_COLOR": "1"}, expand_user_and_vars=False)
    try:
        document = json.loads(out)
    except ValueError:
        module.fail_json(
            msg="rocectl ended with %d and no document: %s" % (code, (err or out).strip()),
            status=code, cmd=command, stdout=out, stderr=err,
        )
    return command, document, err.strip()


def sentence(finding):
    """A finding as text prints it: which port, and what is wrong."""
    if finding.get("port"):
        return "%s: %s" % (finding["port"], finding["text"])
    return finding["text"]


def words_of(document, err):
    """Why a run failed, in rocectl's and the kernel's words, each once."""
    lines = list(document.get("errors", []))
    for outcome in document.get("outcomes", []) + document.get("undone", []):
        if outcome.get("text"):
            lines.append(outcome["text"])
    ends = document.get("findings", []) + document.get("left_changed", [])
    lines += [sentence(one) for one in ends if one["level"] != "note"]
    if document.get("ready") is False:
        lines += [sentence(one) for one in document.get("remaining", document).get("findings", [])]
    if not lines and err:
        lines = err.splitlines()
    return "; ".join(dict.fromkeys(lines))


def diff(steps):
    """Before and after of what steps change, by port, and by setting with its element."""
    before, after = {}, {}
    for step in steps:
        for change in step["changes"]:
            key = " ".join(filter(None, [change["setting"], change.get("element")]))
            old = "unknown" if change.get("before_unknown") else change["before"]
            before.setdefault(step["port"], {}).setdefault(key, old)
            after.setdefault(step["port"], {})[key] = change["after"]
    return dict(before=before, after=after)
