// golang.org/x/net/idna as an engine: idna.Lookup.ToASCII(u.Hostname()) for the host that url.Parse states.
package main

import (
	"bufio"
	"encoding/json"
	"net/url"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

type request struct {
	ID  int `json:"id"`
	URL string
}

type components struct {
	Scheme string `json:"scheme"`
	Host   string `json:"host"`
	Port   string `json:"port"`
}

func parse(text string) (string, interface{}) {
	u, err := url.Parse(text)
	if err != nil {
		return "failure", ascii(err.Error())
	}
	if !utf8.ValidString(u.Host) {
		return "unrepresentable", "a component is not UTF-8" // A Go string need not be UTF-8.
	}
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil {
		return "failure", ascii(err.Error())
	}
	return "parts", components{u.Scheme, host, u.Port()}
}

// ascii replaces what encoding/json would not escape; it matters to messages only.
func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r > 126 {
			return '?'
		}
		return r
	}, text)
}

func main() {
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]interface{}{"protocol": 1, "engine": "golang.org/x/net/idna", "version": strings.TrimPrefix(runtime.Version(), "go"), "ops": []string{"parse"}})
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		var asked request
		if in.Decode(&asked) != nil {
			return
		}
		kind, answer := parse(asked.URL)
		out.Encode(map[string]interface{}{"id": asked.ID, kind: answer})
	}
}
