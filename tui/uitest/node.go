package uitest

import (
	"context"
	"errors"
)

// NodeChoice is the choice of a node as plain values: the node itself is called in the tests of the program.
type NodeChoice struct {
	Set  string // where the node is set already, if it cannot be chosen
	Used string // the address that was chosen
}

// Fixed returns Set.
func (c *NodeChoice) Fixed() string { return c.Set }

// Default returns the address of a node of this machine.
func (c *NodeChoice) Default() string { return "ws://127.0.0.1:8090" }

// Try finds a node at one address alone.
func (c *NodeChoice) Try(_ context.Context, url string) error {
	if url != "wss://node.example" {
		return errors.New(url + " cannot be used: connection refused; correct the address, or try again later")
	}
	return nil
}

// Use records the address.
func (c *NodeChoice) Use(url string) error {
	c.Used = url
	return nil
}
