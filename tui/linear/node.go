package linear

import (
	"context"
	"strings"

	"billfold/tui/format"
	"billfold/tui/page/node"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
)

// nodePage lists the nodes and chooses between them.
type nodePage struct{ *Conversation }

func (n *nodePage) words() []word {
	return append([]word{
		{say: "use N", row: "node/node.use", help: "use node N, or let the wallet choose again if it is the one you chose", do: n.use},
		{say: "check", row: "node/node.check", help: "measure all nodes now", do: n.check},
		{say: "log", help: "what changed, newest last", do: n.log},
		{say: "chain", help: "the chain id, the network and its head", do: n.chain},
	}, nodeAddresses{n.Conversation}.words()...)
}

func (n *nodePage) enter(context.Context) error {
	all := n.opt.Core.Node.Pool.Daemons()
	if len(all) == 0 {
		n.Say("No nodes. add wss://HOST names one for the next start.")
	}
	for i, d := range all {
		n.Item(i+1, daemonLine(d))
		if d.Reason != "" {
			n.Under(canvas.Text(sentence(format.Clean(d.Reason))))
		}
		if d.Plain {
			n.Under(canvas.Text("Not encrypted (ws://): anybody on the way can read and change what is said."))
		}
	}
	n.sayWords()
	return nil
}

// open prints the card of a node.
func (n *nodePage) open(_ context.Context, number int) error {
	core := n.opt.Core.Node
	all := core.Pool.Daemons()
	d, err := pick(all, format.Count(number), "node")
	if err != nil {
		return err
	}
	n.sayRows(node.Rows(n.env(), d, len(all), core.Pool.Trips(d.URL)))
	return nil
}

// daemonLine describes a node on one line.
func daemonLine(d ledgerview.PoolDaemon) canvas.Line {
	parts := []string{format.Clean(d.URL), poolState(d)}
	if d.Head != 0 {
		parts = append(parts, "head "+format.Block(d.Head))
	}
	if d.HeadAge != 0 {
		parts = append(parts, format.Age(d.HeadAge)+" old")
	}
	if d.Latency > 0 {
		parts = append(parts, format.RoundTrip(d.Latency))
	}
	if d.Pinned {
		parts = append(parts, "chosen by you")
	}
	return canvas.Text(strings.Join(parts, ", "))
}

func poolState(d ledgerview.PoolDaemon) string {
	switch d.State {
	case ledgerview.PoolConnecting:
		return "connecting"
	case ledgerview.PoolReady:
		if d.InUse {
			return "in use"
		}
		return "standby"
	case ledgerview.PoolBehind:
		return "behind"
	case ledgerview.PoolSilent:
		return "silent"
	case ledgerview.PoolDistrusted:
		return "false answer"
	case ledgerview.PoolOtherChain:
		return "other chain"
	case ledgerview.PoolGarbage:
		return "no DCore node"
	case ledgerview.PoolAway:
	}
	return "away"
}

// use makes a node the preferred one, or lets the wallet choose again if it is that already. A node that is not ready
// needs the word anyway.
func (n *nodePage) use(_ context.Context, rest string) error {
	number, anyway, _ := strings.Cut(rest, " ")
	pool := n.opt.Core.Node.Pool
	d, err := pick(pool.Daemons(), number, "node")
	if err != nil {
		return err
	}
	if d.State != ledgerview.PoolReady && !d.Pinned && strings.TrimSpace(anyway) != "anyway" {
		return refuse(sentence(format.Clean(d.URL)+" is "+poolState(d)), "use "+number+" anyway, or back.")
	}
	url := d.URL
	if d.Pinned {
		url = ""
	}
	if err := pool.Prefer(url); err != nil {
		return err
	}
	if url == "" {
		n.Say("The wallet chooses again.")
	} else {
		n.Tell("Node", "the wallet switches to "+format.Clean(url)+".")
	}
	return nil
}

func (n *nodePage) check(context.Context, string) error {
	n.opt.Core.Node.Pool.Check()
	n.Say("All nodes are being asked. In a moment, node shows their answers.")
	return nil
}

func (n *nodePage) log(context.Context, string) error {
	all := n.opt.Core.Node.Pool.Log()
	if len(all) == 0 {
		n.Say("Nothing changed in this run.")
	}
	for i, c := range all {
		n.Item(i+1, canvas.Join(canvas.Text(n.env().Times().Clock(c.At)+", "), daemonLine(c.PoolDaemon)))
	}
	return nil
}

func (n *nodePage) chain(ctx context.Context, _ string) error {
	info, err := within(ctx, n.Conversation, "Asking the node", n.opt.Core.Node.Chain.Info)
	if err != nil {
		return err
	}
	n.Tell("Chain id", info.ChainID.String())
	n.sayNetwork(n.env())
	return nil
}
