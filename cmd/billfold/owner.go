package main

import (
	"fmt"
	"net/http"
	"net/http/pprof"
)

// ownerPages returns what the wallet's own user finds below /debug/ of the unix socket: profiles, and the level of the log. They show no memory,
// only which functions use what, and have no place on a port.
func (p *program) ownerPages() http.Handler {
	pages := http.NewServeMux()
	pages.HandleFunc("GET /debug/pprof/", pprof.Index)
	pages.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	pages.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	if p.logged != nil {
		pages.HandleFunc("GET /debug/log-level", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintln(w, p.logged.current())
		})
		pages.HandleFunc("PUT /debug/log-level/{level}", p.putLogLevel)
	}
	return pages
}

// putLogLevel sets the level of the log until the next SIGHUP or start.
func (p *program) putLogLevel(w http.ResponseWriter, r *http.Request) {
	if err := p.logged.set(r.PathValue("level")); err != nil {
		http.Error(w, sentence(err), http.StatusBadRequest)
		return
	}
	_, _ = fmt.Fprintln(w, p.logged.current())
}
