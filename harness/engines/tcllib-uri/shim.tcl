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
say "{\"protocol\":1,\"engine\":\"tcllib-uri\",\"version\":\"[package require uri]\",\"ops\":\[\"resolve\"\]}"
while {[gets stdin line] >= 0} {
    set asked [json::json2dict $line]
    # An unknown base is passed as the empty text.
    if {[catch {uri::resolve [dict get $asked base] [dict get $asked reference]} result]} {
        set answer "\"failure\":\"[regsub -all {[^ !#-\[\]-~]} $result ?]\""
    } else {
        set answer "\"bytes\":\"[hex $result]\""
    }
    say "{\"id\":[dict get $asked id],$answer}"
}
