package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"billfold/content/archive"
	"billfold/content/custody"
	"billfold/content/share"
	"billfold/ledger"
	"billfold/sandbox/chain/state"
	"billfold/sandbox/ipfs"

	//lint:ignore SA1019 The ledger names a package by its RIPEMD-160.
	"golang.org/x/crypto/ripemd160"
)

const (
	seederSpace   = 100_000                              // megabytes
	seederPrice   = 100_000                              // 0.001 DCT for a megabyte and day; each further seeder takes as much more
	announceEvery = ledger.Time(3600)                    // seconds
	proveEvery    = ledger.Time(24 * 3600)               // seconds
	seederLife    = ledger.Time(24*3600) - announceEvery // left of an announcement that is due again
	txLife        = ledger.Time(3600)                    // of what a seeder signs
	megabyte      = int64(1) << 20
	ipfsScheme    = "ipfs:"
)

// seeders are accounts that keep content and deliver its keys, as the seeders of a real ledger do. They act after each block, on what its
// state asks for, and what they do is in the next one: no clock and no goroutine is theirs.
type seeders struct {
	c      *Controls
	folder *ipfs.Folder
	names  []string
	whole  map[string]bool // URIs whose content was compared with the hash on the ledger
	told   map[string]bool // what was logged already
}

// seederName is the name of a seeder's account, counted from 1. Its only key is that of a demo account of this name.
func seederName(n int) string { return fmt.Sprintf("seeder-%d", n) }

func newSeeders(c *Controls, count int, folder *ipfs.Folder) *seeders {
	s := &seeders{c: c, folder: folder, whole: map[string]bool{}, told: map[string]bool{}}
	for n := range count {
		s.names = append(s.names, seederName(n+1))
	}
	return s
}

// act broadcasts what each seeder has to do: register its account, announce itself, prove what it keeps, and deliver the keys that were bought.
func (s *seeders) act() {
	for n, name := range s.names {
		key := demoKey(name)
		for _, op := range s.due(n, name, key) {
			if err := s.broadcast(key, op); err != nil {
				s.tell(name, err)
			}
		}
	}
}

// tell logs what went wrong, once.
func (s *seeders) tell(name string, err error) {
	if text := name + ": " + err.Error(); !s.told[text] {
		s.told[text] = true
		s.c.log.Warn("sandbox: a seeder cannot do its part", "seeder", name, "why", err.Error())
	}
}

// due returns the operations that are due for a seeder.
func (s *seeders) due(n int, name string, key ledger.PrivateKey) (ops []ledger.Body) {
	var account *ledger.Account
	var mine []*ledger.Content
	var head ledger.BlockID
	s.c.chain.View(func(st *state.State) {
		head = st.Dynamic().HeadBlockID
		if account = st.Accounts.ByName(name); account == nil {
			return
		}
		kept := uint64(0)
		for _, c := range st.Contents.All() {
			if c.Expiration > st.HeadTime() && partOf(c, account.ID) != nil {
				mine = append(mine, c)
				kept += c.Size
			}
		}
		seeder := st.Seeders.Of(account.ID)
		if seeder == nil || seeder.Expiration < st.HeadTime()+seederLife {
			ops = append(ops, announcement(n, account.ID, key, kept))
		}
		if seeder == nil {
			mine = nil
			return
		}
		for _, p := range st.Purchases.Open() {
			if part := partOf(st.Contents.Of(p.URI), account.ID); part != nil && !slices.Contains(p.SeedersAnswered, account.ID) {
				ops = append(ops, s.delivery(name, account.ID, key, *part, p))
			}
		}
		mine = slices.DeleteFunc(mine, func(c *ledger.Content) bool {
			at := slices.IndexFunc(c.LastProof, func(p ledger.SeederProof) bool { return p.Seeder == account.ID })
			return c.CustodyData == nil || c.CustodyData.N == 0 || at >= 0 && c.LastProof[at].Time+proveEvery > st.HeadTime()
		})
	})
	if account == nil {
		auth := ledger.SingleKeyAuthority(key.Public())
		create := ledger.NewOperation(&ledger.AccountCreateOp{Registrar: ledger.NullAccount, Name: name, Owner: auth, Active: auth,
			Options: ledger.NewAccountOptions(key.Public())})
		if _, err := s.c.PushUnsigned(create); err != nil {
			s.tell(name, err)
		}
		return nil
	}
	for _, c := range mine {
		proof, err := s.prove(c, head)
		if err != nil {
			s.tell(name, fmt.Errorf("%s cannot be proven: %w", c.URI, err))
			continue
		}
		ops = append(ops, &ledger.ProofOfCustodyOp{Seeder: account.ID, URI: c.URI, Proof: &proof})
	}
	return slices.DeleteFunc(ops, func(op ledger.Body) bool { return op == nil })
}

func partOf(c *ledger.Content, seeder ledger.AccountID) *ledger.Ciphertext {
	for i := range c.KeyParts {
		if c.KeyParts[i].Seeder == seeder {
			return &c.KeyParts[i].Part
		}
	}
	return nil
}

func announcement(n int, account ledger.AccountID, key ledger.PrivateKey, kept uint64) ledger.Body {
	pair := key.ElGamal()
	defer pair.Wipe()
	region := "default"
	return &ledger.ReadyToPublishOp{
		Seeder: account, Space: seederSpace - min(seederSpace, kept), PubKey: ledger.BigInteger{S: ledger.BigText(pair.Public)},
		PricePerMByte: seederPrice * uint32(n+1), IPFSID: "QmSandbox", RegionCode: &region,
	}
}

// delivery returns the delivery of a seeder's part for a purchase, or nil if the buyer's number is none.
func (s *seeders) delivery(name string, account ledger.AccountID, key ledger.PrivateKey, part ledger.Ciphertext, p *ledger.Buying) ledger.Body {
	pair := key.ElGamal()
	defer pair.Wipe()
	delivered, proof, err := share.Deliver(pair, part, p.PubKey)
	if err != nil {
		s.tell(name, fmt.Errorf("the key for the purchase %s cannot be delivered: %w", p.ID, err))
		return nil
	}
	return &ledger.DeliverKeysOp{Seeder: account, Proof: proof, Key: delivered, Buying: p.ID}
}

// prove makes a proof that content is in the folder.
func (s *seeders) prove(c *ledger.Content, head ledger.BlockID) (proof ledger.CustodyProof, err error) {
	id, ok := strings.CutPrefix(c.URI, ipfsScheme)
	if !ok {
		return proof, errors.New("it is not in IPFS")
	}
	links, err := s.folder.Links(id)
	if err != nil {
		return proof, err
	}
	opened := map[string]*os.File{}
	for _, link := range links {
		if link.Name != archive.EncryptedName && link.Name != archive.CustodyName {
			continue
		}
		f, err := s.folder.File(link.Hash)
		if err != nil {
			return proof, err
		}
		defer func() { _ = f.Close() }()
		opened[link.Name] = f
	}
	pkg, signatures := opened[archive.EncryptedName], opened[archive.CustodyName]
	if pkg == nil || signatures == nil {
		return proof, fmt.Errorf("it lacks %s or %s", archive.EncryptedName, archive.CustodyName)
	}
	size, err := s.compare(c, pkg)
	if err != nil {
		return proof, err
	}
	return custody.Prove(*c.CustodyData, pkg, size, signatures, ledger.Hash160(head))
}

// compare compares size and hash of a package with the ledger's, the hash once in a run, and returns the size in bytes.
func (s *seeders) compare(c *ledger.Content, pkg *os.File) (int64, error) {
	info, err := pkg.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() > int64(c.Size)*megabyte {
		return 0, fmt.Errorf("it has %d bytes, more than the %d megabytes on the ledger", info.Size(), c.Size)
	}
	if s.whole[c.URI] {
		return info.Size(), nil
	}
	sum := ripemd160.New()
	if _, err := io.Copy(sum, pkg); err != nil {
		return 0, err
	}
	if got := ledger.Hash160(sum.Sum(nil)); got != c.Hash {
		return 0, fmt.Errorf("its hash is %s, not %s as on the ledger", got, c.Hash)
	}
	s.whole[c.URI] = true
	return info.Size(), nil
}

// broadcast signs an operation, whose fee is 0, and adds it to the pending ones.
func (s *seeders) broadcast(key ledger.PrivateKey, body ledger.Body) error {
	tx := &ledger.SignedTransaction{}
	tx.Operations = []ledger.Operation{ledger.NewOperation(body)}
	s.c.chain.View(func(st *state.State) {
		tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(st.Dynamic().HeadBlockID)
		tx.Expiration = st.HeadTime() + txLife
	})
	digest, err := tx.Digest(s.c.chain.ID())
	if err != nil {
		return err
	}
	tx.Signatures = []ledger.Signature{key.Sign(digest)}
	p, err := s.c.chain.Prepare(tx)
	if err != nil {
		return err
	}
	if fault := s.c.chain.Push(p); fault != nil {
		return fault
	}
	s.c.hub.transactionPending(tx)
	return nil
}
