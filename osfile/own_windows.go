package osfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// OpenOwn opens a regular file of this user for reading. It follows no link at the end of the name. Errors: ErrNotRegular, ErrOtherOwner.
func OpenOwn(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	switch {
	case err != nil:
	case !os.SameFile(info, opened): // a link took its place meanwhile
		err = ErrNotRegular
	default:
		err = checkOwner(f)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func checkOwner(f *os.File) error {
	sd, err := windows.GetSecurityInfo(windows.Handle(f.Fd()), windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return err
	}
	owner, _, err := sd.Owner()
	if err == nil && !isTrusted(owner) {
		err = ErrOtherOwner
	}
	return err
}

// IsOwn reports whether a file belongs to this user.
func IsOwn(path string) bool {
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return false
	}
	owner, _, err := sd.Owner()
	return err == nil && isTrusted(owner)
}

// What an entry of an access control list lets somebody do. Reading is that of a file's contents. Writing is also what lets somebody write
// after a moment: to delete it, or to change the list or the owner. A folder's contents are replaced by who may remove what is in it; making
// further files beside it, as anybody may in C:\, does no harm.
const (
	Reading   = windows.FILE_READ_DATA | windows.GENERIC_READ | windows.GENERIC_ALL
	Writing   = windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA | windows.GENERIC_WRITE | Replacing
	Replacing = fileDeleteChild | windows.DELETE | windows.WRITE_DAC | windows.WRITE_OWNER | windows.GENERIC_ALL

	fileDeleteChild = 0x40
)

// Others returns the names of those besides this user, the administrators and the system whom the access control list of a file or folder
// lets do any of what is in mask.
func Others(path string, mask windows.ACCESS_MASK) (names []string, err error) {
	sd, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return nil, &fs.PathError{Op: "read the access control list of", Path: path, Err: err}
	}
	list, _, err := sd.DACL()
	if errors.Is(err, windows.ERROR_OBJECT_NOT_FOUND) || err == nil && list == nil {
		return []string{"Everyone"}, nil // without a list anybody may do anything
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read the access control list of", Path: path, Err: err}
	}
	for i := range uint32(list.AceCount) {
		var entry *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, i, &entry); err != nil {
			return nil, &fs.PathError{Op: "read the access control list of", Path: path, Err: err}
		}
		if entry.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE || entry.Header.AceFlags&windows.INHERIT_ONLY_ACE != 0 || entry.Mask&mask == 0 {
			continue
		}
		if who := (*windows.SID)(unsafe.Pointer(&entry.SidStart)); !isTrusted(who) {
			names = append(names, nameOf(who))
		}
	}
	return names, nil
}

// isTrusted reports whether who is this user, the owner of the file, the system, its installer, or the administrators, whom nothing keeps out.
func isTrusted(who *windows.SID) bool {
	for _, known := range []windows.WELL_KNOWN_SID_TYPE{windows.WinLocalSystemSid, windows.WinBuiltinAdministratorsSid, windows.WinCreatorOwnerRightsSid} {
		if who.IsWellKnown(known) {
			return true
		}
	}
	const installer = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464"
	if who.String() == installer {
		return true
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	return err == nil && who.Equals(user.User.Sid)
}

func nameOf(who *windows.SID) string {
	account, domain, _, err := who.LookupAccount("")
	switch {
	case err != nil:
		return who.String()
	case domain == "":
		return account
	}
	return domain + `\` + account
}

// Exposure returns who else than this user may read or write a file, in words, "" if nobody may. Groups have no part in it here.
func Exposure(path string, _ fs.FileInfo, _ func(fs.FileInfo) bool) string {
	names, err := Others(path, Reading|Writing)
	if err != nil {
		return fmt.Sprintf("nobody knows by whom: %v", err)
	}
	return strings.Join(names, ", ")
}

// Closing returns the command after which nobody but this user and the system may use a file or folder.
func Closing(path string) string {
	inside := ""
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		inside = "(OI)(CI)"
	}
	return fmt.Sprintf(`icacls "%s" /inheritance:r /grant:r "%%USERNAME%%:%sF" "*S-1-5-18:%[2]sF"`, path, inside)
}
