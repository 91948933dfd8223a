package walletapi

import (
	"context"
	"encoding/json"
)

func descriptionMethods() []*Method {
	return []*Method{
		read("rpc.discover", doc{Help: "Describes every operation as an OpenRPC document.", Reach: ReachChain},
			func(_ context.Context, w *Core, _ struct{}) (documentJSON, error) {
				return w.document()
			}),
	}
}

// documentJSON is an encoded OpenRPC document.
type documentJSON json.RawMessage

// MarshalJSON returns the JSON unchanged.
func (d documentJSON) MarshalJSON() ([]byte, error) { return d, nil }

func (documentJSON) schema(*schemas) Schema { return Schema{Type: "object"} }
func (documentJSON) word() string           { return "OpenRPC document" }
