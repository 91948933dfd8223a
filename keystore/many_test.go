package keystore

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
)

// manyKeys is a key file of so many accounts with a key each.
func manyKeys(t testing.TB, n int) *Store {
	t.Helper()
	var secrets Secrets
	public := Public{Accounts: make([]Account, n), AccountKeys: make([]AccountKeys, n)}
	for i := range n {
		secret := [32]byte{0: 1}
		binary.BigEndian.PutUint64(secret[24:], uint64(i))
		key, err := ledger.NewPrivateKey(secret)
		if err != nil {
			t.Fatal(err)
		}
		own, err := secrets.AddKey(key)
		if err != nil {
			t.Fatal(err)
		}
		id := ledger.AccountID(100 + i)
		public.Accounts[i] = Account{id, fmt.Sprintf("customer-%06d", i)}
		public.AccountKeys[i] = AccountKeys{id, []ledger.PublicKey{own}}
	}
	opts := cheap()
	s, err := Create(filepath.Join(ramdisk.Folder(t), "many.keys"), password, public, &secrets, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// BenchmarkMany measures a key file of n accounts and keys.
func BenchmarkMany(b *testing.B) {
	for _, n := range []int{10, 1_000, 100_000} {
		s := manyKeys(b, n)
		key := s.PublicKeys()[n/2]
		b.Run(fmt.Sprintf("open/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Open(s.Path()); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("unlock/n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Lock()
				if err := s.Unlock(password); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("account/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, found := s.Account(fmt.Sprintf("customer-%06d", n/2)); !found {
					b.Fatal("it is not there")
				}
			}
		})
		b.Run(fmt.Sprintf("key/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, found := s.Key(key); !found {
					b.Fatal("it is not there")
				}
			}
		})
	}
}

// noise is the allowance in bytes for the runtime beside a look-up; a copy of 1,000 accounts takes many times as much.
const noise = 1 << 10

// Looking something up takes no more memory, so no copy, however much is in the file.
func TestLookupsDoNotGrow(t *testing.T) { // not in parallel: the allocations of all are counted
	few, many := manyKeys(t, 10), manyKeys(t, 1000)
	key := few.PublicKeys()[7]
	for name, look := range map[string]func(s *Store) bool{
		"account by name": func(s *Store) bool { return found(s.Account("customer-000007")) },
		"account by id":   func(s *Store) bool { return found(s.Account("1.2.107")) },
		"no account":      func(s *Store) bool { return !found(s.Account("nobody")) },
		"held":            func(s *Store) bool { return s.Holds(key) },
		"private key":     func(s *Store) bool { return found(s.Key(key)) },
		"accounts":        func(s *Store) bool { return len(s.Accounts()) >= 10 },
	} {
		a, b := allocated(t, few, look), allocated(t, many, look)
		if b > a+noise {
			t.Errorf("%s takes %d bytes among 10 and %d among 1,000", name, a, b)
		}
	}
}

func found[T any](_ T, is bool) bool { return is }

// allocated returns how many bytes looking costs once it was done before.
func allocated(t *testing.T, s *Store, look func(*Store) bool) uint64 {
	t.Helper()
	if !look(s) {
		t.Fatal("it was not found")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		look(s)
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / 100
}

// A private key that is another's than the file lists is not given out.
func TestAnotherKeyIsNotGivenOut(t *testing.T) {
	t.Parallel()
	var secrets Secrets
	own, err := secrets.AddKey(testKey(1))
	must(t, err)
	plain, err := secrets.encode()
	must(t, err)
	for listed, given := range map[ledger.PublicKey]bool{own: true, testKey(2).Public(): false} {
		back, err := decodeSecrets(plain, []ledger.PublicKey{listed})
		must(t, err)
		if _, ok := back.Key(listed); ok != given {
			t.Errorf("the key of %s is given out: %v", listed, ok)
		}
	}
	if _, err := decodeSecrets(plain, nil); err == nil {
		t.Error("a payload with a key that is not listed was read")
	}
}
