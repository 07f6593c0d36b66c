#!/bin/bash
# Names on a host are anybody's: what a shell, an XML or a JSON parser and a terminal read of them is a name.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

# The kernel takes 15 bytes but blanks, slashes and colons for the name of an interface.
port='$(touch${IFS}p)'
export port
jq '(.. | strings | select(. == "ens1f0np0")) = env.port | .ports |= map(select(.name == env.port)) | .host.nccl = {}' "$states/mlx5_core.json" >hostile.json
cat >desired.json <<'X'
{ "format": 1, "extends": ["roce-v2-lossless"], "ports": [ { "match": { "driver": "mlx5_core" }, "expect": 1, "mtu": 9000,
  "up": true, "addresses": ["198.18.0.1/24"], "exact": ["addresses"] } ],
  "host": { "nccl": { "NCCL_IB_HCA": "mlx5'$(touch p)" } } }
X

# shows NAME: that nothing a terminal obeys is in the output nor on standard error, and the name is.
shows() {
    ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]' .out .err ||
        fail "expected nothing that a terminal obeys"
    [[ $out$err == *"$1"* ]] || fail "expected the name as $1"
}

it "commands: a shell runs what is spelled, and nothing of a name"
rocectl plan desired.json --state hostile.json -o commands
status_is 0
mkdir -p stubs
for tool in ip dcb ethtool rdma sysctl mkdir sed; do
    printf '#!/bin/bash\nprintf "%%s\\0" "$@" >>"$called"\n' >"stubs/$tool"
done
chmod +x stubs/*
grep -vE '^echo .* > /sys' .out | sed 's, >> /etc/nccl.conf$, >>nccl.conf,' >script
env -i called="$PWD/called" PATH="$PWD/stubs:/bin:/usr/bin" bash ./script || fail "expected the lines to be a script"
[[ ! -e p ]] || fail "a shell ran a part of a name"
[[ $(grep -czxF -- "$port" called) -gt 5 ]] || fail "expected the tools to be given the name as one word"
[[ $(<nccl.conf) == "NCCL_IB_HCA=mlx5'\$(touch p)" ]] || fail "expected the value as it was stated"

it "junit and json: a parser reads the name as it is"
rocectl verify desired.json --state hostile.json -o junit
status_is 2
python3 -c 'import os, xml.dom.minidom as m
assert any(os.environ["port"] == c.getAttribute("classname") for c in m.parse(".out").getElementsByTagName("testcase"))' ||
    fail "expected the port's name in the document"
rocectl plan desired.json --state hostile.json -o json
json_is '[.. | strings | select(. == env.port)] | length > 5'

it "markdown: a reader of tables has the name in one cell, and no markup of it"
if ! /usr/bin/python3 -c 'import markdown_it' 2>/dev/null; then
    skip "no python3-markdown-it here"
else
    for named in "$port" 'a|b`c``*d*' '@team<b>' '`x'; do
        jq --arg named "$named" '(.. | strings | select(. == env.port)) = $named' hostile.json >marked.json
        rocectl plan desired.json --state marked.json -o markdown
        status_is 0
        named=$named /usr/bin/python3 - <<'X' || fail "expected the name as code alone: $named"
import os, markdown_it
tokens = markdown_it.MarkdownIt("commonmark").enable("table").parse(open(".out").read())
inner = [one for token in tokens for one in token.children or []]
name = os.environ["named"]
assert any(one.type == "code_inline" and one.content == name for one in inner), "the name"
assert {one.type for one in inner} <= {"code_inline", "text", "softbreak"}, {one.type for one in inner}
assert not any(name in one.content for one in inner if one.type == "text")
assert all(token.type != "html_block" for token in tokens)
rows = [line for line in open(".out") if line.startswith("| ")]
cells = sum(token.type in ("th_open", "td_open") for token in tokens)
assert rows and cells > len(rows)
X
    done
fi

# Escape sequences, DEL, C1's CSI, a mark that turns the direction of writing, what is no UTF-8.
odd=$(printf 'x\033[2K\177\302\233\342\200\256\233')
shown='x\u001b[2K\u007f\u009b\u202e\x9b'

it "what a user types is shown and not obeyed, in text and in documents"
rocectl plan "$odd"
shows "$shown"
rocectl explain "$odd"
shows "$shown"
rocectl show "$odd" --state hostile.json
shows "$shown"
rocectl plan desired.json --state hostile.json --set "$odd=1"
shows "$shown"
rocectl plan "$odd" -o json
shows 'x\u001b[2K'
json_is '.errors | length > 0'
printf '{ "format": 1, "%s": 1 }\n' "${odd%?}" >odd.json
rocectl profile check odd.json
shows 'odd.json:1:'

# A document of rocectl's: what stands in it was observed, and may be called anything.
strange=$'e\e[31m\e[2K\xc2\x9b'
strange=$strange jq -c '(.. | strings | select(. == "ens1f0np0")) = env.strange | .ports |= map(select(.name == env.strange)) | .host.name = env.strange |
    {format: 1, rocectl: "0.1.0", command: "snapshot", status: 0} + .' "$states/mlx5_core.json" >seen.json
printf '%s\n' "$odd: rdma_resolve_route: No route to host" >seen.log
mkdir -p tree
# How each command is called here, where it takes more than options; where a form of output is named, it is called in each.
declare -A calls=(
    [plan]="desired.json --state seen.json -o @text,json,junit,markdown,commands@" [apply]="desired.json --yes --state seen.json --out after.json -o @text,json@"
    [verify]="desired.json --state seen.json -o @text,json,junit@" [rollback]="$odd --root tree" [confirm]="--status --root $odd" [history]="$odd --root tree"
    [snapshot]="--state seen.json" [show]="--state seen.json -o @text,json@"
    [doctor]="--state seen.json -v -o @text,json,junit,prometheus,nagios,npd@" [watch]="$odd --root tree --window 1s" [explain]="$odd"
    ["profile check"]="$odd" ["profile show"]="desired.json --state seen.json -o @text,json@" ["profile init"]="--state seen.json" ["profile schema"]=""
    ["probe serve"]="--secret $odd" ["probe run"]="$odd --secret $odd" ["probe loopback"]="--device $odd --root tree" ["probe mesh"]="$odd,x --dry-run"
    [completion]="$odd" [help]="$odd"
)

it "law: whatever the command and the form, what others called things is shown and not obeyed"
mapfile -t there < <("$binary" help | sed -nE 's/^  ((profile|probe) [a-z]+|[a-z]+) .*/\1/p')
((${#there[@]} > 18)) || fail "expected the list of commands, found ${there[*]}"
for command in "${there[@]}"; do
    # shellcheck disable=SC2086
    [[ -n ${calls[$command]+x} || $("$binary" $command --help | head -n 1) == "Usage: rocectl $command [OPTION]..." ]] ||
        fail "expected to know how $command is called"
    call=${calls[$command]--o @text,json@} forms=''
    [[ $call != *@* ]] || { forms=${call#*@}; forms=${forms%@}; }
    for form in ${forms//,/ } ${forms:-none}; do
        [[ $form != *,* ]] || continue
        # shellcheck disable=SC2086
        rocectl $command ${call/@$forms@/$form}
        ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]' .out .err || fail "expected nothing that a terminal obeys"
        [[ $form != json ]] || jq -es 'length == 1' .out >/dev/null || fail "expected one document"
    done
done

it "law: on a terminal with colours, a name has none of its own"
if command -v script >/dev/null; then
    for command in "show --state seen.json" "plan desired.json --state seen.json" "doctor --state seen.json -v"; do
        called=$command
        env -u NO_COLOR TERM=xterm script -qec "'$binary' $command" /dev/null </dev/null >.out 2>.err
        grep -qF $'\e[0m' .out || fail "expected colours"
        ! grep -qF $'e\e[31m' .out || fail "expected the name to have none"
        grep -qF 'e\u001b[31m\u001b[2K' .out || fail "expected the name as it is"
    done
    called="doctor --output-file"
    env -u NO_COLOR TERM=xterm script -qec "'$binary' doctor --state seen.json --output-file report" /dev/null </dev/null >.out 2>.err
    ! grep -qF '\u001b[0m' report || fail "expected no colours in a file"
else
    skip "no script here"
fi

it "Ansible: what a task says is what rocectl is given, and no variable of root's environment"
collection=$here/packaging/ansible/plugins python3 - <<'X' || fail "expected the words as they are"
import importlib.util, os, sys, types
class Module:
    """As ansible-core's AnsibleModule.run_command has it: words are expanded unless that is said."""
    params = dict(executable="rocectl", profiles=["~/$HOME"], redact=False, trust_files=False)
    def get_bin_path(self, name, required): return name
    def run_command(self, args, environ_update=None, expand_user_and_vars=True):
        if expand_user_and_vars: args = [os.path.expanduser(os.path.expandvars(one)) for one in args]
        self.given = args
        return 0, "{}", ""
basic = types.ModuleType("basic")
basic.AnsibleModule = Module
def load(name, path):
    spec = importlib.util.spec_from_file_location(name, os.environ["collection"] + "/" + path)
    made = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made
sys.dont_write_bytecode = True
for name in ("ansible", "ansible.module_utils", "ansible_collections", "ansible_collections.rocectl", "ansible_collections.rocectl.rocectl",
             "ansible_collections.rocectl.rocectl.plugins", "ansible_collections.rocectl.rocectl.plugins.module_utils"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["ansible.module_utils.basic"] = basic
utils = load("ansible_collections.rocectl.rocectl.plugins.module_utils.rocectl", "module_utils/rocectl.py")
facts = load("rocectl_facts", "modules/rocectl_facts.py")
module = Module()
utils.run(module, ["plan", "--set", "a=$HOME"])
assert "a=$HOME" in module.given, module.given
facts.snapshot(module)
assert "~/$HOME" in module.given, module.given
X

done_testing
