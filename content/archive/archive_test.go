package archive_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"billfold/content/archive"
	"billfold/internal/ramdisk"
	"billfold/ledger"

	//lint:ignore SA1019 The ledger names a package by its RIPEMD-160.
	"golang.org/x/crypto/ripemd160"
)

// keyB is the key of the package of the reference in testdata/package-B.
const keyB = "9add711d2d52734c1ed3540be988ecd164c1936b1a93ee73fb93a50301733198"

func key(t testing.TB, text string) *archive.Key {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != archive.KeySize {
		t.Fatalf("%q is no key", text)
	}
	return (*archive.Key)(raw)
}

func open(t testing.TB, folder string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

func store(t testing.TB, folder string) *archive.Store {
	t.Helper()
	s, err := archive.OpenStore(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// write makes files in a new folder.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	folder := ramdisk.Folder(t)
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// read returns the files below a folder by name.
func read(t testing.TB, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func wantFiles(t *testing.T, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s has %d bytes, want %d: %.40q", name, len(got[name]), len(want[name]), got[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("the files are %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// entry is a file of an archive under construction, whose size may be a lie.
type entry struct {
	name, text string
	size       int64 // len(text), if 0
}

func headerBytes(name string, size int64) []byte {
	h := make([]byte, 304)
	h[0] = 1
	copy(h[4:260], name)
	binary.LittleEndian.PutUint32(h[260:], uint32(size))
	return h
}

// raw lays out files as an archive does, with its end.
func raw(entries ...entry) []byte {
	var out []byte
	for _, e := range entries {
		size := e.size
		if size == 0 {
			size = int64(len(e.text))
		}
		out = append(append(out, headerBytes(e.name, size)...), e.text...)
	}
	return append(out, make([]byte, 304)...)
}

func zipped(t testing.TB, plain []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(plain)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func padded(plain []byte) []byte {
	pad := aes.BlockSize - len(plain)%aes.BlockSize
	return append(bytes.Clone(plain), bytes.Repeat([]byte{byte(pad)}, pad)...)
}

func encrypted(t testing.TB, k *archive.Key, plain []byte) []byte {
	t.Helper()
	block, err := aes.NewCipher(k[:])
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, len(plain))
	cipher.NewCBCEncrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(out, plain)
	return out
}

// place puts bytes into a store as a package, under their hash.
func place(t testing.TB, folder string, content []byte) *archive.Package {
	t.Helper()
	sum := ripemd160.New()
	sum.Write(content)
	hash := ledger.Hash160(sum.Sum(nil))
	if err := os.MkdirAll(filepath.Join(folder, hash.String()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, hash.String(), archive.EncryptedName), content, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := store(t, folder).Package(hash)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func scan(t testing.TB, folder string) *archive.Source {
	t.Helper()
	source, err := archive.Scan(t.Context(), open(t, folder), ".")
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// The reference made the package from the folder beside it.
func TestPackageOfTheReferenceIsRemadeByteForByte(t *testing.T) {
	samples, err := archive.ScanSamples(open(t, "testdata/package-B"), "samples")
	if err != nil {
		t.Fatal(err)
	}
	want := read(t, "testdata/package-B/package")
	folder := ramdisk.Folder(t)
	made, err := store(t, folder).Create(t.Context(), archive.Recipe{
		Content: scan(t, "testdata/package-B/content"),
		Samples: samples,
		Key:     key(t, keyB),
		Custody: func(_ context.Context, encrypted io.ReaderAt, size int64, signatures io.Writer) error {
			content, err := io.ReadAll(io.NewSectionReader(encrypted, 0, size))
			if string(content) != want[archive.EncryptedName] {
				t.Error("what is signed is not the archive")
			}
			_, wrote := io.WriteString(signatures, want[archive.CustodyName])
			return errors.Join(err, wrote)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if made.Hash.String() != "9326ac3c69687cc95d0b9943a22b9823b99e3a20" {
		t.Errorf("the hash is %s", made.Hash)
	}
	if size := archive.CustodySize(made.Size); size != int64(len(want[archive.CustodyName])) {
		t.Errorf("content.cus should have %d bytes", size)
	}
	wantFiles(t, read(t, filepath.Join(folder, made.Hash.String())), want)
	if err := made.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("the store has %v, %v", left, err)
	}
}

func TestPackagesOfTheReferenceAreExtracted(t *testing.T) {
	for _, test := range []struct{ folder, key string }{
		{"testdata/package-B/package", keyB},
		{"testdata/flow", "0136d0d0d30229cd1104f215fe193450201627b08216418935e3836b98cf2309"},
	} {
		content, err := os.ReadFile(filepath.Join(test.folder, archive.EncryptedName))
		if err != nil {
			t.Fatal(err)
		}
		p := place(t, ramdisk.Folder(t), content)
		out := open(t, ramdisk.Folder(t))
		var done, total int64
		got, err := p.Extract(t.Context(), key(t, test.key), out, "content", archive.DefaultLimits(), func(d, all int64) { done, total = d, all })
		if err != nil {
			t.Fatal(err)
		}
		if got.Files != 2 || got.Bytes != 20023 || got.Cut || done != total || total != 2*p.Size {
			t.Errorf("%+v; %d of %d bytes", got, done, total)
		}
		files := read(t, filepath.Join(out.Name(), "content"))
		if test.key == keyB {
			wantFiles(t, files, read(t, "testdata/package-B/content"))
		}
	}
}

func TestContentThatBuyersCouldNotExtractIsNotPacked(t *testing.T) {
	link := func(to string) func(string) error { return func(path string) error { return os.Symlink(to, path) } }
	text := func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) }
	for _, test := range []struct {
		name string
		make func(path string) error
		want string
	}{
		{"empty", func(path string) error { return os.WriteFile(path, nil, 0o600) }, "is empty"},
		{"link", link("good"), "is a link"},
		{"linked-folder", link("."), "is a link"},
		{"socket", socket, "is not a regular file"},
		{"large", func(path string) error { return errors.Join(text(path), os.Truncate(path, archive.MaxFile+1)) }, "2 GiB"},
		{`back\slash`, text, `has a \`},
		{"con\x1btrol", text, "control characters"},
		{"not-utf8-\xff", text, "UTF-8"},
		{strings.Repeat("d", 200) + "/" + strings.Repeat("f", 55), text, "longer than 255"},
		{"aux.txt", text, "device"},
		{"sub/COM1", text, "device"},
		{"a:b", text, "Windows"},
		{"dot.", text, "dot"},
		{"space ", text, "space"},
		{"GOOD", text, `"good" differs from "GOOD" only in capitals`},
		{"Good/x", text, `"good" differs from "Good" only in capitals`},
		{"cafe\u0301", text, "\"caf\u00e9\" differs from \"cafe\u0301\" only in capitals, how its accents"},
		{"in/CAFE\u0301/x", text, "\"in/caf\u00e9/x\" differs from \"in/CAFE\u0301/x\""},
		{"STRASSE", text, `"straße" differs from "STRASSE"`},
		{".billfold-unfinished-x", text, "not finished"},
	} {
		folder := write(t, map[string]string{"good": "good", "caf\u00e9": "x", "in/caf\u00e9/x": "x", "straße": "x"})
		path := filepath.Join(folder, test.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := test.make(path); err != nil {
			t.Fatal(err)
		}
		_, err := archive.Scan(t.Context(), open(t, folder), ".")
		if !errors.Is(err, archive.ErrSource) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v", test.name, err)
		}
	}
	if _, err := archive.Scan(t.Context(), open(t, t.TempDir()), "."); !errors.Is(err, archive.ErrSource) {
		t.Errorf("an empty folder: %v", err)
	}
	root := open(t, write(t, map[string]string{"in/x": "x"}))
	for _, outside := range []string{"..", "../x", "/etc/passwd"} {
		if _, err := archive.Scan(t.Context(), root, outside); !errors.Is(err, archive.ErrFile) {
			t.Errorf("%s: %v", outside, err)
		}
	}
}

func TestFilesThatChangeWhileTheyArePacked(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"shorter":  func(path string) error { return os.Truncate(path, 2) },
		"longer":   func(path string) error { return os.Truncate(path, 100) },
		"replaced": func(path string) error { return errors.Join(os.Remove(path), os.Symlink("/etc/passwd", path)) },
		"gone":     os.Remove,
	} {
		folder := write(t, map[string]string{"a": "aaaaa"})
		source := scan(t, folder)
		if err := change(filepath.Join(folder, "a")); err != nil {
			t.Fatal(err)
		}
		to := ramdisk.Folder(t)
		if p, err := store(t, to).Create(t.Context(), archive.Recipe{Content: source, Key: key(t, keyB)}); err == nil {
			t.Errorf("%s: made %v", name, p)
		}
		if left, err := os.ReadDir(to); err != nil || len(left) != 0 {
			t.Errorf("%s left %v, %v", name, left, err)
		}
	}
}

func TestFilesOfAFolderAreSortedByTheirWholeNames(t *testing.T) {
	root := open(t, write(t, map[string]string{"in/b": "b", "in/.hidden": "h", "in/a/z": "z", "in/a.txt": "a"}))
	for _, test := range []struct {
		folder string
		want   []string
	}{
		{"in", []string{".hidden", "a.txt", "a/z", "b"}},
		{"in/", []string{".hidden", "a.txt", "a/z", "b"}},
		{".", []string{"in/.hidden", "in/a.txt", "in/a/z", "in/b"}},
	} {
		source, err := archive.Scan(t.Context(), root, test.folder)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, file := range source.Files {
			names = append(names, file.Name)
		}
		if !slices.Equal(names, test.want) || source.Files.Size() != 4 {
			t.Errorf("%s: %q, %d bytes", test.folder, names, source.Files.Size())
		}
	}
}

func TestSingleFileIsPackedUnderItsOwnName(t *testing.T) {
	root := open(t, write(t, map[string]string{"sub/film.mp4": "film", "sub/other": "other"}))
	source, err := archive.Scan(t.Context(), root, "sub/film.mp4")
	if err != nil {
		t.Fatal(err)
	}
	p, err := store(t, ramdisk.Folder(t)).Create(t.Context(), archive.Recipe{Content: source, Key: key(t, keyB)})
	if err != nil {
		t.Fatal(err)
	}
	out := open(t, ramdisk.Folder(t))
	if _, err := p.Extract(t.Context(), key(t, keyB), out, "x", archive.DefaultLimits(), nil); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, read(t, out.Name()), map[string]string{"x/film.mp4": "film"})
}

func TestHostilePackagesAreRefused(t *testing.T) {
	k := key(t, keyB)
	good := entry{name: "first", text: "first"}
	of := func(entries ...entry) []byte { return encrypted(t, k, padded(zipped(t, raw(entries...)))) }
	cut := func(n int, plain []byte) []byte { return encrypted(t, k, padded(zipped(t, plain[:len(plain)-n]))) }
	named := func(name string) []byte { return of(good, entry{name: name, text: "x"}) }
	whole := zipped(t, raw(good))
	wrongSum := bytes.Clone(whole)
	wrongSum[len(wrongSum)-8] ^= 1
	wrongLength := bytes.Clone(whole)
	wrongLength[len(wrongLength)-1] ^= 1
	long := headerBytes("", 1)
	copy(long[4:260], strings.Repeat("n", 256))
	for name, test := range map[string]struct {
		content []byte
		want    error
	}{
		"up":                       {named("../up"), archive.ErrName},
		"up inside":                {named("a/../../up"), archive.ErrName},
		"absolute":                 {named("/etc/passwd"), archive.ErrName},
		"the folder":               {named("."), archive.ErrName},
		"up alone":                 {named(".."), archive.ErrName},
		"empty name":               {named(""), archive.ErrName},
		"empty part":               {named("a//b"), archive.ErrName},
		"here":                     {named("./a"), archive.ErrName},
		"a folder's":               {named("a/"), archive.ErrName},
		"backslash":                {named(`..\up`), archive.ErrName},
		"control":                  {named("a\x1b[2J"), archive.ErrName},
		"C1 control":               {named("a\u009b2J"), archive.ErrName},
		"not UTF-8":                {named("a\xff"), archive.ErrName},
		"unfinished":               {named("a/.billfold-unfinished-x/b"), archive.ErrName},
		"name without end":         {encrypted(t, k, padded(zipped(t, append(long, 'x')))), archive.ErrDamaged},
		"twice":                    {of(good, good), archive.ErrName},
		"file, then folder":        {of(good, entry{name: "first/a", text: "x"}), archive.ErrName},
		"folder, then file":        {of(entry{name: "a/b", text: "x"}, entry{name: "a", text: "x"}), archive.ErrName},
		"too many bytes":           {of(good, entry{name: "a", text: strings.Repeat("x", 1<<20)}), archive.ErrLimit},
		"too many by their claim":  {of(good, entry{name: "a", text: "x", size: 1 << 30}), archive.ErrLimit},
		"too many files":           {of(slices.Collect(manyFiles(200))...), archive.ErrLimit},
		"too many folders":         {of(entry{name: strings.Repeat("d/", 110) + "f", text: "x"}), archive.ErrLimit},
		"negative size":            {of(good, entry{name: "a", text: "x", size: -1}), archive.ErrDamaged},
		"smallest size":            {of(good, entry{name: "a", text: "x", size: -1 << 31}), archive.ErrDamaged},
		"larger than it is":        {of(good, entry{name: "a", text: "x", size: 1000}), archive.ErrDamaged},
		"smaller than it is":       {of(entry{name: "a", text: strings.Repeat("x", 1000), size: 10}), archive.ErrDamaged},
		"other version":            {encrypted(t, k, padded(zipped(t, append([]byte{2}, raw(good)[1:]...)))), archive.ErrDamaged},
		"no end":                   {cut(304, raw(good)), archive.ErrDamaged},
		"half an end":              {cut(100, raw(good)), archive.ErrDamaged},
		"half a file":              {cut(306, raw(good)), archive.ErrDamaged},
		"an end with something in": {encrypted(t, k, padded(zipped(t, append(raw(good)[:len(raw(good))-1], 1)))), archive.ErrDamaged},
		"behind the end":           {encrypted(t, k, padded(zipped(t, append(raw(good), 0)))), archive.ErrDamaged},
		"behind the gzip":          {encrypted(t, k, padded(append(bytes.Clone(whole), 0))), archive.ErrDamaged},
		"two gzips":                {encrypted(t, k, padded(append(bytes.Clone(whole), whole...))), archive.ErrDamaged},
		"wrong check sum":          {encrypted(t, k, padded(wrongSum)), archive.ErrDamaged},
		"wrong length":             {encrypted(t, k, padded(wrongLength)), archive.ErrDamaged},
		"nothing in it":            {encrypted(t, k, padded(zipped(t, nil))), archive.ErrDamaged},
		"no gzip":                  {encrypted(t, k, padded([]byte("what is this?"))), archive.ErrKey},
		"no padding":               {encrypted(t, k, append(bytes.Clone(whole), make([]byte, 16-len(whole)%16)...)), archive.ErrKey},
		"uneven padding":           {encrypted(t, k, append(padded(whole)[:len(padded(whole))-2], 1, 2)), archive.ErrKey},
		"padding of 17":            {encrypted(t, k, append(padded(whole), bytes.Repeat([]byte{17}, 32)...)), archive.ErrKey},
		"not of whole blocks":      {of(good)[:33], archive.ErrDamaged},
		"of no bytes":              {nil, archive.ErrDamaged},
		"other key":                {encrypted(t, key(t, strings.Repeat("00", 32)), padded(whole)), archive.ErrKey},
	} {
		t.Run(name, func(t *testing.T) {
			out := open(t, ramdisk.Folder(t))
			p := place(t, ramdisk.Folder(t), test.content)
			_, err := p.Extract(t.Context(), k, out, "content", archive.Limits{Bytes: 1 << 20, Files: 100}, nil)
			if !errors.Is(err, test.want) {
				t.Errorf("%v, want %v", err, test.want)
			}
			var own *archive.Error
			if !errors.As(err, &own) || own.Hint == "" {
				t.Errorf("%v has no hint", err)
			}
			wantFiles(t, read(t, out.Name()), nil)
			if left, err := os.ReadDir(out.Name()); err != nil || len(left) != 0 {
				t.Errorf("%v is left, %v", left, err)
			}
		})
	}
}

func manyFiles(n int) func(func(entry) bool) {
	return func(yield func(entry) bool) {
		for i := range n {
			if !yield(entry{name: "f" + strings.Repeat("x", i), text: "x"}) {
				return
			}
		}
	}
}

// The reference ends such an archive behind the empty file; others may go on.
func TestEmptyFilesOfOthersAreExtracted(t *testing.T) {
	k := key(t, keyB)
	all := raw(entry{name: "a", text: "a"}, entry{name: "empty"})
	for name, test := range map[string]struct {
		plain []byte
		cut   bool
	}{
		"by the reference": {all[:len(all)-304], true},
		"whole":            {all, false},
		"followed":         {raw(entry{name: "empty"}, entry{name: "a", text: "a"}), false},
	} {
		out := open(t, ramdisk.Folder(t))
		p := place(t, ramdisk.Folder(t), encrypted(t, k, padded(zipped(t, test.plain))))
		got, err := p.Extract(t.Context(), k, out, "x", archive.DefaultLimits(), nil)
		if err != nil || got.Cut != test.cut || got.Files != 2 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		wantFiles(t, read(t, out.Name()), map[string]string{"x/a": "a", "x/empty": ""})
	}
}

func TestPackageTruncatedAtEveryByteIsRefused(t *testing.T) {
	k := key(t, keyB)
	whole := encrypted(t, k, padded(zipped(t, raw(entry{name: "a", text: "text of a"}, entry{name: "b/c", text: "text of c"}))))
	out := open(t, ramdisk.Folder(t))
	for n := range whole {
		p := place(t, ramdisk.Folder(t), whole[:n]) // under the hash of what is left: publishers can do that
		if got, err := p.Extract(t.Context(), k, out, "content", archive.DefaultLimits(), nil); err == nil {
			t.Errorf("%d of %d bytes: %+v", n, len(whole), got)
		}
	}
	if left, err := os.ReadDir(out.Name()); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestOneBitMoreIsAnotherHash(t *testing.T) {
	folder := ramdisk.Folder(t)
	k := key(t, keyB)
	content := encrypted(t, k, padded(zipped(t, raw(entry{name: "a", text: "a"}))))
	p := place(t, folder, content)
	content[len(content)/2] ^= 1
	if err := os.WriteFile(filepath.Join(folder, p.Hash.String(), archive.EncryptedName), content, 0o600); err != nil {
		t.Fatal(err)
	}
	out := open(t, ramdisk.Folder(t))
	if _, err := p.Extract(t.Context(), k, out, "x", archive.DefaultLimits(), nil); !errors.Is(err, archive.ErrHash) {
		t.Error(err)
	}
	if left, err := os.ReadDir(out.Name()); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestWhatIsInTheWayStays(t *testing.T) {
	k := key(t, keyB)
	p := place(t, ramdisk.Folder(t), encrypted(t, k, padded(zipped(t, raw(entry{name: "a", text: "a"})))))
	folder := write(t, map[string]string{"file": "mine", "full/mine": "mine", "target/x": "mine"})
	if err := errors.Join(os.Symlink("target", filepath.Join(folder, "link")), os.Mkdir(filepath.Join(folder, "empty"), 0o700),
		os.Symlink(t.TempDir(), filepath.Join(folder, "away"))); err != nil {
		t.Fatal(err)
	}
	out := open(t, folder)
	for place, want := range map[string]error{
		"file": archive.ErrExists, "full": archive.ErrExists, "link": archive.ErrExists, ".": archive.ErrExists,
		"../up": archive.ErrFile, "away/x": archive.ErrFile, "missing/x": archive.ErrFile, "empty": nil, "new": nil,
	} {
		if _, err := p.Extract(t.Context(), k, out, place, archive.DefaultLimits(), nil); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", place, err, want)
		}
	}
	if err := errors.Join(os.Remove(filepath.Join(folder, "link")), os.Remove(filepath.Join(folder, "away"))); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, read(t, folder), map[string]string{"file": "mine", "full/mine": "mine", "target/x": "mine", "empty/a": "a", "new/a": "a"})
}

func TestStoppedWorkLeavesNothing(t *testing.T) {
	k := key(t, keyB)
	folder := ramdisk.Folder(t)
	content := write(t, map[string]string{"a": strings.Repeat("some text ", 100_000)})
	s := store(t, folder)
	for name, work := range map[string]func(context.Context, archive.Progress) error{
		"create": func(ctx context.Context, report archive.Progress) error {
			_, err := s.Create(ctx, archive.Recipe{Content: scan(t, content), Key: k, Progress: report})
			return err
		},
		"extract": func(ctx context.Context, report archive.Progress) error {
			p := place(t, folder, encrypted(t, k, padded(zipped(t, raw(entry{name: "a", text: strings.Repeat("text", 1<<20)})))))
			_, err := p.Extract(ctx, k, open(t, folder), "out", archive.DefaultLimits(), report)
			return errors.Join(err, s.Remove(p.Hash))
		},
	} {
		ctx, stop := context.WithCancel(t.Context())
		calls := 0
		err := work(ctx, func(int64, int64) {
			if calls++; calls == 2 {
				stop()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
			t.Errorf("%s left %v, %v", name, left, err)
		}
		stop()
	}
}

func TestSecondPackageOfTheSameContent(t *testing.T) {
	folder := ramdisk.Folder(t)
	s := store(t, folder)
	custody := func(text string) func(context.Context, io.ReaderAt, int64, io.Writer) error {
		return func(_ context.Context, _ io.ReaderAt, _ int64, to io.Writer) error {
			_, err := io.WriteString(to, text)
			return err
		}
	}
	recipe := archive.Recipe{Content: scan(t, "testdata/package-B/content"), Key: key(t, keyB), Custody: custody("first")}
	first, err := s.Create(t.Context(), recipe)
	if err != nil {
		t.Fatal(err)
	}
	recipe.Custody = custody("second")
	if again, err := s.Create(t.Context(), recipe); !errors.Is(err, archive.ErrExists) || again.Hash != first.Hash {
		t.Errorf("%v, %v", again, err)
	}
	signatures := func() string { return read(t, folder)[first.Hash.String()+"/"+archive.CustodyName] }
	if got := signatures(); got != "first" {
		t.Errorf("content.cus is %q", got)
	}
	recipe.Replace = true
	if _, err := s.Create(t.Context(), recipe); err != nil || signatures() != "second" {
		t.Errorf("%v; content.cus is %q", err, signatures())
	}
	hashes, err := s.Packages()
	if err != nil || len(hashes) != 1 || hashes[0] != first.Hash {
		t.Errorf("%v, %v", hashes, err)
	}
	if err := s.Remove(first.Hash); err != nil {
		t.Error(err)
	}
	if err := s.Remove(first.Hash); !errors.Is(err, archive.ErrNotFound) {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

func TestLeftoversAreRemovedAndNothingElse(t *testing.T) {
	folder := write(t, map[string]string{
		".billfold-unfinished-abc/a/b": "x",
		".billfold-unfinished-file":    "a file is not ours",
		".billfold-unfinished-download-9326ac3c69687cc95d0b9943a22b9823b99e3a20/x": "a download is resumed",
		"other/.billfold-unfinished-abc/x":                                         "elsewhere",
	})
	s := store(t, folder)
	k := key(t, keyB)
	_, err := s.Create(t.Context(), archive.Recipe{Content: scan(t, "testdata/package-B/content"), Key: k,
		Custody: func(context.Context, io.ReaderAt, int64, io.Writer) error {
			// The package that is being made is not a leftover.
			if removed, err := store(t, folder).RemoveLeftovers(); removed != 1 || err != nil {
				t.Errorf("%d, %v", removed, err)
			}
			return nil
		}})
	if err != nil {
		t.Error(err)
	}
	if removed, err := s.RemoveLeftovers(); removed != 0 || err != nil {
		t.Errorf("%d, %v", removed, err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 4 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestSamplesAreTopLevelFiles(t *testing.T) {
	folder := write(t, map[string]string{"a.txt": "a", "empty": "", "sub/b.txt": "b"})
	samples, err := archive.ScanSamples(open(t, folder), ".")
	if err != nil {
		t.Fatal(err)
	}
	to := ramdisk.Folder(t)
	p, err := store(t, to).Create(t.Context(), archive.Recipe{Content: scan(t, "testdata/package-B/content"), Samples: samples, Key: key(t, keyB)})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := p.Parts()
	if err != nil {
		t.Fatal(err)
	}
	want := []archive.Part{{Name: "Samples/a.txt", Size: 1}, {Name: "Samples/empty"}, {Name: archive.EncryptedName, Size: p.Size}}
	if !slices.Equal(parts, want) {
		t.Errorf("%v", parts)
	}
	if size, err := p.Megabytes(); size != 1 || err != nil {
		t.Errorf("%d MiB, %v", size, err)
	}
	if err := os.Symlink("a.txt", filepath.Join(folder, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.ScanSamples(open(t, folder), "."); !errors.Is(err, archive.ErrSource) {
		t.Error(err)
	}
}

func FuzzReader(f *testing.F) {
	for _, plain := range [][]byte{raw(entry{name: "a", text: "a"}), raw(entry{name: "a"}, entry{name: "b/c", text: "c"}), raw(entry{name: "../a", text: "a"}), nil} {
		f.Add(plain, []byte(nil))
	}
	f.Fuzz(func(t *testing.T, plain, behind []byte) {
		for _, source := range [][]byte{append(zipped(t, plain), behind...), behind} {
			reader, err := archive.NewReader(bytes.NewReader(source))
			if err != nil {
				continue
			}
			var entries []entry
			for {
				file, err := reader.Next()
				if err != nil {
					if errors.Is(err, io.EOF) && !reader.Cut() && len(behind) == 0 && !bytes.Equal(names(raw(entries...)), names(plain)) {
						t.Errorf("%v was read from %q", entries, plain)
					}
					break
				}
				if !filepath.IsLocal(filepath.FromSlash(file.Name)) || strings.ContainsAny(file.Name, "\x00\\") {
					t.Fatalf("the name %q", file.Name)
				}
				text, err := io.ReadAll(reader)
				if err == nil && int64(len(text)) != file.Size {
					t.Fatalf("%d bytes of %d", len(text), file.Size)
				}
				entries = append(entries, entry{name: file.Name, text: string(text)})
			}
		}
	})
}

// names clears what headers of others may have in their zeros.
func names(plain []byte) []byte {
	plain = bytes.Clone(plain)
	for at := 0; at+304 <= len(plain) && plain[at] == 1; {
		h := plain[at : at+304]
		clear(h[1:4])
		clear(h[4+bytes.IndexByte(h[4:260], 0) : 260])
		clear(h[264:])
		at += 304 + int(int32(binary.LittleEndian.Uint32(h[260:])))
	}
	return plain
}

// socket makes a file that is not a regular one.
func socket(path string) error {
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: path})
	if err != nil {
		return err
	}
	listener.SetUnlinkOnClose(false)
	return listener.Close()
}
