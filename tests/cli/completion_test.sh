#!/bin/bash
# takes: 80 s
# completion_test.sh BINARY: what the shells make of the scripts that rocectl completion prints. bash and zsh at a terminal of their own, as
# somebody types, fish by its own command for that; shells that are not installed are left out.
. "$(dirname "$0")/assert.bash"

for shell in bash zsh fish; do
    "$binary" completion $shell >completion.$shell
done
touch host.json

# typed SHELL LINE...: how the shell completes each line at its end.
typed() {
    local shell=$1 line start=()
    shift
    case $shell in
    bash) start=('PS1=' 'bind "set enable-bracketed-paste off"' 'bind "set bell-style none"') ;;
    zsh) start=('PS1=' 'autoload -U compinit; compinit -u -D' 'unsetopt beep') ;;
    fish)
        for line in "$@"; do
            fish --no-config -c "source completion.fish; complete -C 'rocectl $line'" 2>&1 | cut -f 1 | sed "s#^#${line% *} #"
        done
        return
        ;;
    esac
    {
        printf '%s\n' "${start[@]}" ". ./completion.$shell" 'rocectl() { echo "typed:""$*"; }'
        printf 'rocectl %s\t\n' "$@"
        echo exit
    } >keys
    local command='bash --norc --noprofile -i'
    [[ $shell == bash ]] || command='zsh -f -i'
    script -qec "$command" /dev/null <keys | tr -d '\r' | sed -n 's/^.*typed:\([^"]\)/\1/p'
}

lines=("expl" "probe se" "profile sc" "plan --exi" "explain pfc.pri" "explain mtu-l" "show l" "doctor --only pfc-of" "plan -o js"
    "verify --state host.js" "completion fi" "help probe")
wanted=("explain" "probe serve" "profile schema" "plan --exit-code" "explain pfc.priorities" "explain mtu-low" "show lo"
    "doctor --only pfc-off" "plan -o json" "verify --state host.json" "completion fish" "help probe")
for shell in bash zsh fish; do
    it "$shell completes commands, options, settings, findings, ports and files"
    if ! command -v $shell >/dev/null || ! command -v script >/dev/null; then
        skip "no $shell"
        continue
    fi
    called="completion $shell"
    out=$(typed $shell "${lines[@]}") err=
    expected=$(printf '%s\n' "${wanted[@]}")
    [[ $shell != fish ]] || expected=${expected/#explain/ explain}
    [[ $(sed 's/^expl explain$/ explain/' <<<"$out") == "$expected" ]] || fail "expected $expected"
done

it "bash and zsh complete the last of several names, and what follows an equals sign"
called="completion"
for shell in bash zsh; do
    command -v $shell >/dev/null && command -v script >/dev/null || continue
    out=$(typed $shell "doctor --only pfc-off,mtu-l" "plan --output=js")
    [[ $out == "doctor --only pfc-off,mtu-low"$'\n'"plan --output=json" ]] || fail "expected both of $shell"
done

# The function of bash, called as bash does.
complete_words() {
    bash -c '. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rocectl; printf "%s\n" "${COMPREPLY[@]}"' x rocectl "$@"
}
it "every option that help tells is offered, and no other"
mapfile -t commands < <("$binary" help | sed -nE 's/^  ((probe |profile )?[a-z]+) .*/\1/p')
((${#commands[@]} > 15)) || fail "expected the list of commands"
for command in "${commands[@]}"; do
    read -ra words <<<"$command"
    called="help $command"
    out=$("$binary" help "${words[@]}" | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort)
    [[ $out == "$(complete_words "${words[@]}" -- | sort)" ]] || fail "expected of bash: $(complete_words "${words[@]}" --)"
done

it "what is no file is not completed by one"
called="completion bash"
for line in "verify --wait" "plan --set" "probe run --size" "show" "probe run"; do
    read -ra words <<<"$line"
    out=$(complete_words "${words[@]}" host)
    [[ -z $out ]] || fail "expected nothing after $line"
done
out=$(complete_words plan host)
[[ $out == host.json ]] || fail "expected a file after plan"

it "profiles of the site are completed by their names"
if unshare -rm true 2>/dev/null; then
    called="completion"
    # A site of two profiles; of /etc the shells need no more.
    cat >site.sh <<'END'
mount -t tmpfs tmpfs /etc && mkdir /etc/rocectl && touch /etc/rocectl/rails.json /etc/rocectl/railway.json /etc/rocectl/vars.json
. ./completion.bash
for COMP_LINE in "plan rail" "doctor va" "snapshot rails ra" "probe run --profile rails"; do
    COMP_WORDS=(rocectl $COMP_LINE)
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _rocectl
    echo "$COMP_LINE: ${COMPREPLY[*]}"
done
! command -v fish >/dev/null || HOME=$PWD fish --no-config -c 'source completion.fish; complete -C "rocectl plan rail"; complete -C "rocectl doctor va"'
END
    out=$(unshare -rm bash site.sh 2>&1)
    expected=$'plan rail: rails railway\ndoctor va: \nsnapshot rails ra: rails railway\nprobe run --profile rails: rails'
    ! command -v fish >/dev/null || expected+=$'\nrails\nrailway'
    [[ $out == "$expected" ]] || fail "expected: $expected"
else
    skip "no namespaces"
fi

done_testing
