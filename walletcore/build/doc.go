// Package build makes transactions: what was requested becomes operations, with
// fees, a review for whoever has to approve, a stamp and signatures.
//
//	Request ─► Builder ─► operations ─► fees, rules, signers ─► Review ─► stamp ─► check ─► signatures
//
// Promises: what is signed is what was reviewed, but for its reference block and
// expiration; its bytes are read back and compared with the words of the request
// before the first signature; no transaction is made twice.
//
// Refuses: a fee above the ceiling or in another asset than DCT, a head block of
// the future, a recipient whose keys changed and nobody saw it.
package build
