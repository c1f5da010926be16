# Tcllib's uri package as an engine: uri::resolve base reference.
package require json
package require uri

proc say {answer} {
    puts $answer
    flush stdout
}
proc hex {text} {
    binary scan [encoding convertto utf-8 $text] H* hex
    return $hex
}
proc failure {message} {
    return "\"failure\":\"[regsub -all {[^ !#-\[\]-~]} $message ?]\""
}
# The library splits each scheme into other components; those that it does not name are null.
proc parse {text} {
    if {[catch {uri::split $text} found]} { return [failure $found] }
    set parts {}
    foreach {part key} {scheme scheme user user password pwd host host port port path path query query fragment fragment} {
        lappend parts "\"$part\":[expr {[dict exists $found $key] ? [quoted [dict get $found $key]] : "null"}]"
    }
    return "\"parts\":{[join $parts ,]}"
}
proc quoted {text} {
    set quoted ""
    foreach c [split $text ""] {
        scan $c %c code
        if {$code > 0xffff} {
            append quoted [format {\u%04x\u%04x} [expr {0xd7c0 + ($code >> 10)}] [expr {0xdc00 + ($code & 0x3ff)}]]
        } elseif {$code < 32 || $code > 126 || $c in {\" \\}} {
            append quoted [format {\u%04x} $code]
        } else {
            append quoted $c
        }
    }
    return "\"$quoted\""
}
say "{\"protocol\":1,\"engine\":\"tcllib-uri\",\"version\":\"[package require uri]\",\"ops\":\[\"resolve\",\"parse\"\]}"
while {[gets stdin line] >= 0} {
    set asked [json::json2dict $line]
    if {[dict get $asked op] eq "parse"} {
        say "{\"id\":[dict get $asked id],[parse [dict get $asked url]]}"
        continue
    }
    # An unknown base is passed as the empty text.
    if {[catch {uri::resolve [dict get $asked base] [dict get $asked reference]} result]} {
        set answer [failure $result]
    } else {
        set answer "\"bytes\":\"[hex $result]\""
    }
    say "{\"id\":[dict get $asked id],$answer}"
}
