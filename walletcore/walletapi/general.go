package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore"
)

func generalMethods() []Method {
	const group = "General"
	return []Method{
		{Name: "about", Group: group, Touches: Reads, Reach: ReachChain, Result: "{daemon_info, wallet_info}", Help: "Tells the versions of daemon and wallet.",
			handle: func(ctx context.Context, w *walletcore.Wallet, c *Catalogue, _ args) (any, error) {
				return w.About(ctx, c.versions)
			}},
		{Name: "info", Group: group, Touches: Reads, Reach: ReachChain, Result: "{head_block_num, head_block_id, head_block_age, next_maintenance_time, chain_id, participation, active_miners, not_ready?}",
			Help: "Sums up where the chain stands.",
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, _ args) (any, error) {
				return w.Info(ctx)
			}},
		{Name: "help", Group: group, Touches: Reads, Reach: ReachChain, Result: "text, one line per operation", Help: "Lists every wallet operation.",
			handle: func(_ context.Context, _ *walletcore.Wallet, c *Catalogue, _ args) (any, error) { return c.help(), nil }},
		{Name: "get_help", Group: group, Touches: Reads, Reach: ReachChain, Params: []Param{{Name: "method", Kind: Text}}, Result: "text", Help: "Explains one wallet operation.",
			Examples: []string{"transfer"},
			handle: func(_ context.Context, _ *walletcore.Wallet, c *Catalogue, a args) (any, error) {
				return c.helpFor(a.text(0))
			}},
		{Name: "get_block", Group: group, Touches: Reads, Reach: ReachChain, Params: []Param{{Name: "num", Kind: Uint32, Help: "block number"}}, Result: "block with its transactions, or null",
			Help: "Reads a block.", Examples: []string{"12345"},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.Block(ctx, a.uint32(0))
			}},
		{Name: "get_object", Group: group, Touches: Reads, Reach: ReachChain, Params: []Param{{Name: "id", Kind: Object}}, Result: "list of one: the object or null", Help: "Reads any object by its id.",
			Examples: []string{"1.2.34"},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.Objects(ctx, []ledger.ObjectID{a.object(0)})
			}},
		{Name: "get_global_properties", Group: group, Touches: Reads, Reach: ReachChain, Result: "object 2.0.0", Help: "Reads the chain's parameters and fees.",
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, _ args) (any, error) {
				return w.GlobalProperties(ctx)
			}},
		{Name: "get_dynamic_global_properties", Group: group, Touches: Reads, Reach: ReachChain, Result: "object 2.1.0", Help: "Reads the head block and what changes with each block.",
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, _ args) (any, error) {
				return w.DynamicGlobalProperties(ctx)
			}},
	}
}
