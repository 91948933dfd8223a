package sign

import (
	"context"

	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/cosign"
	"billfold/walletcore/proposal"
)

// Reader reads proposals.
type Reader interface {
	Own(ctx context.Context) ([]proposal.Proposal, error)
}

// Approver builds what changes the approvals of a proposal.
type Approver interface {
	Approve(ctx context.Context, req build.ApproveProposalParams) (screen.Built, error)
}

// Files reads, signs and sends transactions that travel as files.
type Files interface {
	Open(ctx context.Context, path string) (File, error)
	Sign(ctx context.Context, f File) (signed File, err error) // writes a new file beside
	Built(f File) screen.Built                                 // sends it as it is
}

// File is a transaction file as it was read.
type File struct {
	Path   string
	Text   *cosign.File
	Holds  cosign.Inspection
	Review build.Review // of its bytes, with the keys of this wallet that would sign
	Plan   cosign.Plan
	Off    string // why no key of this wallet signs it
}

// Core is what the page needs of the wallet.
type Core struct {
	Reader   Reader
	Approver Approver
	Files    Files
}
