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

// Approver builds changes to the approvals of a proposal.
type Approver interface {
	Approve(ctx context.Context, req build.ApproveProposalParams) (screen.Built, error)
}

// Files reads, signs and sends transactions in files.
type Files interface {
	Open(ctx context.Context, path string) (File, error)
	Sign(ctx context.Context, f File) (signed File, err error) // writes a new file next to f
	Built(f File) screen.Built                                 // sends the transaction as it is signed
}

// File is a transaction file as it was read.
type File struct {
	Path   string
	Text   *cosign.File
	Holds  cosign.Inspection
	Review build.Review // of the bytes in the file, with the keys of this wallet that would sign
	Plan   cosign.Plan
	Off    string // why this wallet cannot sign it; empty if it can
}

// Core is what the page needs of the wallet.
type Core struct {
	Reader   Reader
	Approver Approver
	Files    Files
}
