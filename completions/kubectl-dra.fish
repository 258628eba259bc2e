# Completion of kubectl-dra in fish: put this file into ~/.config/fish/completions.
function __kubectl_dra_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    # A value after = is offered with the flag before it, as fish completes whole words.
    set -l before (string match -r -- '^--[^=]*=' "$current")
    for line in ($program __complete $words "$current" 2>/dev/null)
        switch $line
            case ':0'
                for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current"))
                    echo "$before$path"
                end
            case ':*'
            case '*'
                echo "$before$line"
        end
    end
end
complete -c kubectl-dra -f -k -a '(__kubectl_dra_complete)'
