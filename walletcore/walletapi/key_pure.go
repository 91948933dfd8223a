package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/vault"
)

type deriveParams struct {
	Prefix string `json:"prefix_string" secret:"true" help:"a normalised brain key or a private key, used as it is"`
	Number int32  `json:"sequence_number" help:"which key of the brain key, from 0"`
}

// pureKeyMethods returns the operations that make keys and store nothing.
func pureKeyMethods() []*Method {
	return []*Method{
		read(
			"derive_private_key",
			doc{
				Help: "Derives a private key from a prefix and a number; nothing is stored.", Reach: ReachChain,
				Secret: true, Examples: []string{"- 0"},
			},
			func(_ context.Context, _ *Core, p deriveParams) (ledger.KeyText, error) {
				key := ledger.DeriveKey(p.Prefix, int(p.Number))
				defer key.Wipe()
				return key.KeyText(), nil
			}),
		read("generate_el_gamal_keys", doc{Help: "Makes a random El Gamal key pair; nothing is stored.", Reach: ReachChain, Secret: true},
			func(_ context.Context, _ *Core, _ struct{}) (vault.ElGamalKeys, error) {
				return vault.RandomElGamalKeys()
			}),
		read(
			"generate_brain_key_el_gamal_key",
			doc{Help: "Makes a random brain key with its El Gamal key pair; nothing is stored.", Reach: ReachChain, Secret: true},
			func(_ context.Context, _ *Core, _ struct{}) (vault.BrainKeyElGamal, error) {
				return vault.SuggestBrainKeyElGamal()
			}),
	}
}
