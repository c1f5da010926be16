// Go's net/url as an engine: url.Parse(base), then base.Parse(reference); url.Parse(text) for the components.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"
)

type request struct {
	ID                       int `json:"id"`
	Op, Base, Reference, URL string
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

type components struct {
	Scheme    string  `json:"scheme"`
	User      *string `json:"user"`
	Password  *string `json:"password"`
	Host      string  `json:"host"`
	Port      string  `json:"port"`
	Path      string  `json:"path"`
	Query     string  `json:"query"`
	Fragment  string  `json:"fragment"`
	Authority string  `json:"authority"`
}

func parse(text string) (string, interface{}) {
	u, err := url.Parse(text)
	if err != nil {
		return "failure", ascii(err.Error())
	}
	var user, password string
	parts := components{u.Scheme, nil, nil, u.Hostname(), u.Port(), u.EscapedPath(), u.RawQuery, u.Fragment, u.Host}
	if u.User != nil {
		user = u.User.Username()
		parts.User = &user
		if given, set := u.User.Password(); set {
			password = given
			parts.Password = &password
		}
	}
	// Some accessors decode. The other components are part of the text, which is UTF-8.
	if !utf8.ValidString(user + "\n" + password + "\n" + u.Host + "\n" + u.Fragment) {
		return "unrepresentable", "a component is not UTF-8"
	}
	return "parts", parts
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
	out.Encode(map[string]interface{}{"protocol": 1, "engine": "net/url", "version": strings.TrimPrefix(runtime.Version(), "go"), "ops": []string{"resolve", "parse"}})
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		var asked request
		if in.Decode(&asked) != nil {
			return
		}
		if asked.Op == "parse" {
			kind, answer := parse(asked.URL)
			out.Encode(map[string]interface{}{"id": asked.ID, kind: answer})
			continue
		}
		kind, text := resolve(asked)
		out.Encode(map[string]interface{}{"id": asked.ID, kind: ascii(text)})
	}
}
