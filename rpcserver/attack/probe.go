package attack

import (
	"context"
	"strings"
)

// probe is one attack. It says what the server did and whether that refuses it;
// an error means that the server could not be attacked.
type probe struct {
	name  string
	needs func(Target) string // why it is skipped; nil = never
	run   func(context.Context, *client) (bool, string, error)
}

func (p probe) try(ctx context.Context, c *client) (Outcome, string) {
	if p.needs != nil {
		if why := p.needs(c.target); why != "" {
			return Skipped, why
		}
	}
	refused, detail, err := p.run(ctx, c)
	switch {
	case err != nil:
		return Succeeded, "it could not be tried to its end: " + err.Error()
	case refused:
		return Refused, detail
	default:
		return Succeeded, detail
	}
}

// refusedPost is an attack by one HTTP request that must not be executed.
func refusedPost(name, host, body string, header map[string]string) probe {
	return probe{name: name, run: func(ctx context.Context, c *client) (bool, string, error) {
		q := post(body, header)
		q.host, q.token = strings.ReplaceAll(host, "PORT", c.addr[strings.LastIndex(c.addr, ":")+1:]), c.target.Token
		r, err := c.send(ctx, q)
		return err == nil && r.status >= 400 && !r.executed(), r.did(), err
	}}
}
