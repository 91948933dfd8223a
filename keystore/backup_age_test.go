package keystore

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"filippo.io/age"
)

// ageIdentity is an identity of age, its text and its recipient.
type ageIdentity struct{ text, recipient string }

func newIdentity(t testing.TB) ageIdentity {
	t.Helper()
	id, err := age.GenerateX25519Identity()
	must(t, err)
	return ageIdentity{id.String(), id.Recipient().String()}
}

func newResistingIdentity(t testing.TB) ageIdentity {
	t.Helper()
	id, err := age.GenerateHybridIdentity()
	must(t, err)
	return ageIdentity{id.String(), id.Recipient().String()}
}

// sealedTo seals a text to recipients.
func sealedTo(t testing.TB, plain []byte, recipients ...string) []byte {
	t.Helper()
	to, err := ParseRecipients(recipients)
	must(t, err)
	var file bytes.Buffer
	s, err := SealBackupTo(&file, BackupOfWallet, to)
	must(t, err)
	_, err = s.Write(plain)
	must(t, errors.Join(err, s.Close()))
	return file.Bytes()
}

func openedWith(from io.Reader, identities string) ([]byte, error) {
	ids, err := ParseIdentities([]byte(identities))
	if err != nil {
		return nil, err
	}
	b, err := OpenBackupWith(from, ids)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(b)
}

// Each recipient opens what was sealed to all of them, and nobody else does.
func TestEachRecipientOpensABackup(t *testing.T) {
	for _, make := range []func(testing.TB) ageIdentity{newIdentity, newResistingIdentity} {
		one, other, stranger := make(t), make(t), newIdentity(t)
		for _, size := range []int{0, 1, backupPiece, 2*backupPiece + 5} {
			plain := bytes.Repeat([]byte("seventeen bytes. "), size/17+1)[:size]
			raw := sealedTo(t, plain, one.recipient, " "+other.recipient+"\n")
			if is, err := CheckBackup(bytes.NewReader(raw)); !is || err != nil {
				t.Errorf("it counts as sealed to recipients: %t, %v", is, err)
			}
			for _, text := range []string{one.text, other.text + "\r\n", "# made today\n\n" + stranger.text + "\n" + one.text, "\uFEFF" + one.text} {
				if got, err := openedWith(iotest.HalfReader(bytes.NewReader(raw)), text); err != nil || !bytes.Equal(got, plain) {
					t.Errorf("of %d bytes %d come back, and %v", size, len(got), err)
				}
			}
			if _, err := openedWith(bytes.NewReader(raw), stranger.text); !errors.Is(err, ErrWrongPassword) {
				t.Errorf("a stranger's identity: %v", err)
			}
			if bytes.Contains(raw, []byte("seventeen")) || bytes.Contains(raw, []byte(backupName)) {
				t.Errorf("%d bytes are readable", size)
			}
		}
	}
}

// Whatever is cut off or changed, nothing of it passes as a backup; what cannot be read is told as that.
func TestADamagedBackupToRecipientsIsRefused(t *testing.T) {
	id := newIdentity(t)
	raw := sealedTo(t, make([]byte, backupPiece+100), id.recipient)
	refused := func(what string, at int, text []byte, kinds ...error) {
		t.Helper()
		_, err := openedWith(bytes.NewReader(text), id.text)
		_, checked := CheckBackup(bytes.NewReader(text))
		if err == nil || checked != nil && !errors.Is(checked, ErrDamaged) && !errors.Is(checked, ErrForeign) ||
			!slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(err, kind) }) {
			t.Fatalf("%s at %d: %v, and before it is opened %v", what, at, err, checked)
		}
	}
	edge := len(raw) - backupPiece - 200
	for at := range raw {
		if at > edge && at < len(raw)-200 && at%4096 != 0 {
			continue
		}
		refused("cut", at, raw[:at], ErrDamaged)
		flipped := bytes.Clone(raw)
		flipped[at] ^= 1
		refused("another bit", at, flipped, ErrDamaged, ErrWrongPassword) // a header for others, as far as anybody can see
	}
	refused("more", len(raw), append(bytes.Clone(raw), 0), ErrDamaged)
	away := errors.New("the disk is away")
	for _, at := range []int{0, 5, 40, 180, 220, 260, 1000, backupPiece, len(raw) - 1, len(raw)} {
		if _, err := openedWith(io.MultiReader(bytes.NewReader(raw[:at]), iotest.ErrReader(away)), id.text); !errors.Is(err, away) {
			t.Errorf("after %d bytes: %v", at, err)
		}
	}
	for left := range 5 {
		to, err := ParseRecipients([]string{id.recipient})
		must(t, err)
		s, err := SealBackupTo(&failing{left: left}, BackupOfWallet, to)
		if err == nil {
			_, err = s.Write(make([]byte, backupPiece))
			err = errors.Join(err, s.Close())
		}
		if err == nil && left < 3 {
			t.Errorf("after %d writes the disk fails, and nothing is told", left)
		}
	}
}

// A file of age need not be a backup, and a backup may be of a newer program.
func TestWhatAgeEncryptedMayBeSomethingElse(t *testing.T) {
	id := newIdentity(t)
	for text, want := range map[string]error{
		"Dear diary": ErrForeign, "": ErrForeign, "\x00\x00\x01\x00": ErrForeign, backupMagic + "3}\nmore": ErrVersion, backupMagic + "11}\n": ErrVersion,
	} {
		one, err := age.ParseX25519Recipient(id.recipient)
		must(t, err)
		var file bytes.Buffer
		w, err := age.Encrypt(&file, one)
		must(t, err)
		_, err = io.WriteString(w, text)
		must(t, errors.Join(err, w.Close()))
		if _, err := openedWith(&file, id.text); !errors.Is(err, want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A backup that the first program sealed to an identity opens, with this program and with age alone.
func TestAnOldBackupToARecipientOpens(t *testing.T) {
	identity, raw := mustRead(t, filepath.Join("testdata", "age-identity")), mustRead(t, filepath.Join("testdata", "backup-age-v1"))
	_, plain := sealedBackup(t, 100)
	if got, err := openedWith(bytes.NewReader(raw), string(identity)); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("%q comes back, and %v", got, err)
	}
	ids, err := age.ParseIdentities(bytes.NewReader(identity))
	must(t, err)
	r, err := age.Decrypt(bytes.NewReader(raw), ids...)
	must(t, err)
	if got, err := io.ReadAll(r); err != nil || string(got) != ageHeader(1)+string(plain) {
		t.Errorf("age finds %q, and %v", got, err)
	}
}

// What is no recipient or no identity is told as what it is, and is never repeated.
func TestWhatIsNoneOfAgeIsTold(t *testing.T) {
	id, other, resisting := newIdentity(t), newIdentity(t), newResistingIdentity(t)
	told := func(kind, want, secret string, err error) {
		t.Helper()
		if err == nil || !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) || len(secret) > 9 && strings.Contains(err.Error(), secret[len(secret)-9:]) {
			t.Errorf("%s that should be told as %q: %v", kind, want, err)
		}
	}
	for text, want := range map[string]string{
		id.text: "Recipient 1 is an identity of age, which is secret", strings.ToLower(id.text): "is an identity", resisting.text: "is an identity",
		"AGE-PLUGIN-YUBIKEY-1QQQQQQ": "is an identity", id.recipient[:len(id.recipient)-1]: "mistyped", id.recipient + "q": "mistyped",
		resisting.recipient[:100]: "mistyped", "age1yubikey1qwt50d05nh5vutpdzmlg5wn80xq5negm4uj9ghv0snvdd3yysf5yw3rhl3t": "a plugin",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ": "a key of SSH", "alice@example": "is none of age", "": "is none of age",
	} {
		_, err := ParseRecipients([]string{text})
		told("a recipient", want, text, err)
	}
	_, err := ParseRecipients([]string{id.recipient, other.text})
	told("the second", "Recipient 2 is an identity", other.text, err)
	_, err = ParseRecipients([]string{id.recipient, resisting.recipient})
	told("a mixture", "recipients of one kind", "", err)
	another := "X" // than stands there
	if id.text[40:41] == another {
		another = "Y"
	}
	for text, want := range map[string]string{
		"": "no identity in it", "# nothing\n\n": "no identity in it", id.recipient: "is a recipient", "# here\n" + id.text[:70]: "Line 2 of the identity has a letter",
		id.text[:40] + another + id.text[41:]: "mistyped", resisting.text + "Q": "mistyped", ageMagic + "-> scrypt": "encrypted itself",
		"-----BEGIN AGE ENCRYPTED FILE-----\nYWdl": "encrypted itself", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl": "a key of another kind",
		"AGE-PLUGIN-YUBIKEY-1QQQQQQ": "a plugin", "correct horse battery": "is no identity", "A\x00G\x00E\x00-\x00S\x00E\x00C\x00": "UTF-16",
	} {
		_, err := ParseIdentities([]byte(text))
		told("an identity", want, text, err)
	}
}

func FuzzAgeTexts(f *testing.F) {
	f.Add(string(mustRead(f, filepath.Join("testdata", "age-identity"))))
	f.Add("age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := ParseRecipients([]string{text})
		_, other := ParseIdentities([]byte(text))
		if err == nil && other == nil {
			t.Fatal("it is both")
		}
		for _, err := range []error{err, other} {
			if err != nil && !errors.Is(err, ErrInvalid) {
				t.Fatal(err)
			}
		}
	})
}
