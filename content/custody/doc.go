// Package custody makes and checks the data by which a seeder proves that it still has a package of content
// (docs/protocol/content-engine.md 3, docs/design/018-content-engine.md).
//
//	publisher: package ──Secret.Sign──► a signature for every 320 bytes, and ledger.CustodyData (content_submit)
//	seeder:    package, signatures, a recent block ──Prove──► ledger.CustodyProof (proof_of_custody)
//	node:      CustodyData, CustodyProof ──VerifyProof──► nil
//
// Packages are read as streams in bounded memory; whatever comes from others is checked before it is computed with. Arithmetic is not in
// constant time: the only secret is used on the publisher's machine, once, for a package that is about to be public.
package custody
