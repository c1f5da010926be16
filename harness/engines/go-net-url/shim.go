// Go's net/url as an engine: url.Parse(base), then base.Parse(reference).
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"runtime"
	"strings"
)

type request struct {
	ID              int `json:"id"`
	Base, Reference string
}

func resolve(asked request) (string, string) {
	parse := url.Parse // without a known base the reference is parsed alone
	if asked.Base != "" {
		base, err := url.Parse(asked.Base)
		if err != nil {
			return "failure", "base: " + err.Error()
		}
		parse = base.Parse
	}
	result, err := parse(asked.Reference)
	if err != nil {
		return "failure", err.Error()
	}
	return "bytes", hex.EncodeToString([]byte(result.String())) // a Go string need not be UTF-8
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
	out.Encode(map[string]interface{}{"protocol": 1, "engine": "net/url", "version": strings.TrimPrefix(runtime.Version(), "go"), "ops": []string{"resolve"}})
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		var asked request
		if in.Decode(&asked) != nil {
			return
		}
		kind, text := resolve(asked)
		out.Encode(map[string]interface{}{"id": asked.ID, kind: ascii(text)})
	}
}
