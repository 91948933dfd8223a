package linear

import (
	"context"
	"strings"

	"billfold/tui/format"
	"billfold/tui/page/node"
	"billfold/walletcore/ledgerview"
)

// nodeAddresses edits the list of nodes in the settings file.
type nodeAddresses struct{ *Conversation }

func (n nodeAddresses) words() []word {
	return []word{
		{say: "add ADDRESS", row: "node/node.add", help: "add a node to the settings; it counts from the next start", do: n.add},
		{say: "edit N ADDRESS", row: "node/node.edit", help: "another address for node N, from the next start", do: n.edit},
		{say: "remove N", row: "node/node.remove", help: "take node N out of the settings", do: n.remove},
	}
}

// core returns the editor of the list, or a refusal when the list cannot be changed here.
func (n nodeAddresses) core() (node.Addresses, error) {
	core := n.opt.Core.Node.Addresses
	if core == nil {
		return nil, refuse("The nodes cannot be changed here.", "settings daemon-url shows them.")
	}
	if why := core.Fixed(); why != "" {
		return nil, refuse(sentence(format.Clean(why)), "settings daemon-url shows them.")
	}
	return core, nil
}

// askAddress returns the address typed after the word, or asks for one until it is valid.
func (n nodeAddresses) askAddress(ctx context.Context, typed string) (url string, err error) {
	return url, n.untilAccepted(ctx, func(ctx context.Context) (err error) {
		if url = typed; url == "" {
			if url, err = n.Text(ctx, "Address", "wss:// and the name of a node", ""); err != nil {
				return err
			}
		}
		typed = ""
		if wrong := node.AddressProblem(url); wrong != "" {
			return misuse(sentence(wrong), "type the address, or back.")
		}
		return nil
	})
}

func (n nodeAddresses) add(ctx context.Context, rest string) error {
	core, err := n.core()
	if err != nil {
		return err
	}
	url, err := n.askAddress(ctx, rest)
	if err != nil {
		return err
	}
	if err := core.Add(url); err != nil {
		return notWritten(err)
	}
	n.Tell("Added", format.Clean(url)+". It counts from the next start.")
	return nil
}

// numberedNode returns the node whose number was typed.
func (n nodeAddresses) numberedNode(rest string) (ledgerview.PoolDaemon, error) {
	return pick(n.opt.Core.Node.Pool.Daemons(), rest, "node")
}

func (n nodeAddresses) edit(ctx context.Context, rest string) error {
	core, err := n.core()
	if err != nil {
		return err
	}
	number, to := cutWord(rest)
	d, err := n.numberedNode(number)
	if err != nil {
		return err
	}
	url, err := n.askAddress(ctx, to)
	if err != nil {
		return err
	}
	if err := core.Replace(d.URL, url); err != nil {
		return notWritten(err)
	}
	n.Tell("Changed", format.Clean(d.URL)+" to "+format.Clean(url)+". It counts from the next start.")
	return nil
}

func (n nodeAddresses) remove(ctx context.Context, rest string) error {
	core, err := n.core()
	if err != nil {
		return err
	}
	d, err := n.numberedNode(rest)
	if err != nil {
		return err
	}
	n.Tell("Remove", format.Clean(d.URL))
	if err := n.ConfirmWord(ctx, "delete", "take it out of the settings"); err != nil {
		return err
	}
	if err := core.Remove(d.URL); err != nil {
		return notWritten(err)
	}
	n.Tell("Removed", format.Clean(d.URL)+". It is not used from the next start on.")
	return nil
}

// notWritten is the refusal for a settings file that could not be changed.
func notWritten(err error) error {
	return refuse(sentence(format.Clean(strings.TrimSpace(err.Error()))), "node lists the nodes.")
}
