// Go's net/http as an engine: http.Get(url), that is Client.Get of a client that waits for four seconds and verifies no certificate.
package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"
)

func get(url string, follow bool) error {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy, transport.DisableKeepAlives = nil, true
	transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	client := http.Client{Transport: transport, Timeout: 4 * time.Second}
	if !follow {
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	response, err := client.Get(url)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	response.Body.Close()
	return err
}

// message is ASCII, and leaves out the addresses of a network error, which differ between runs.
func message(err error) string {
	var network *net.OpError
	if errors.As(err, &network) {
		err = fmt.Errorf("%s: %w", network.Op, network.Err)
	}
	text := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, err.Error())
	if len(text) > 300 {
		text = text[:300]
	}
	return text
}

type request struct {
	ID      int `json:"id"`
	Op, URL string
}

func main() {
	version := strings.TrimPrefix(runtime.Version(), "go")
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]interface{}{"protocol": 1, "engine": "net/http", "version": version, "ops": []string{"connect", "follow"}})
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		var asked request
		if in.Decode(&asked) != nil {
			return
		}
		answer := map[string]interface{}{"id": asked.ID}
		if asked.Op != "connect" && asked.Op != "follow" {
			answer["skipped"] = "unsupported operation"
		} else if err := get(asked.URL, asked.Op == "follow"); err != nil {
			answer["failure"] = message(err)
		} else {
			answer["done"] = true
		}
		out.Encode(answer)
	}
}
