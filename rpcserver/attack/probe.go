package attack

import (
	"context"
	"strings"
)

// probe is one attack. run reports whether the server refused it, and returns what the
// server did. An error means that the attack could not be made.
type probe struct {
	name string
	skip func(Target) string // returns why the attack is skipped, "" = it is not; nil = never skipped
	run  func(context.Context, *client) (bool, string, error)
}

func (p probe) try(ctx context.Context, c *client) (Outcome, string) {
	if p.skip != nil {
		if why := p.skip(c.target); why != "" {
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

// refusedPost returns an attack by one HTTP request, which must not be executed.
func refusedPost(name, host, body string, header map[string]string) probe {
	return probe{name: name, run: func(ctx context.Context, c *client) (bool, string, error) {
		q := post(body, header)
		q.host, q.token = strings.ReplaceAll(host, "PORT", c.addr[strings.LastIndex(c.addr, ":")+1:]), c.target.Token
		r, err := c.send(ctx, q)
		return err == nil && r.status >= 400 && !r.executed(), r.summary(), err
	}}
}
