# Completion of kubectl-dra in PowerShell: add this file to $PROFILE.
Register-ArgumentCompleter -Native -CommandName 'kubectl-dra' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.ToString() })
    # An empty word is lost on its way to a program unless arguments are passed as they are.
    $empty = if ("$PSNativeCommandArgumentPassing" -in '', 'Legacy') { '""' } else { '' }
    $words += if ($wordToComplete -eq '') { $empty } else { $wordToComplete }
    $before = if ($wordToComplete -match '^(--[^=]*=)') { $Matches[1] } else { '' }
    & $commandAst.CommandElements[0].ToString() __complete @words 2>$null |
        Where-Object { -not $_.StartsWith(':') } |
        ForEach-Object {
            $value, $text = $_ -split "`t", 2
            if (-not $text) { $text = $value }
            [System.Management.Automation.CompletionResult]::new(
                "$before$value", $value, 'ParameterValue', $text)
        }
}
