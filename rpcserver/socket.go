package rpcserver

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"billfold/rpcserver/peercred"
)

// socketMode lets nobody but the wallet's user connect, groupMode also the members of a group.
const (
	socketMode = 0o600
	groupMode  = 0o660
)

// bindSocket listens on a unix socket and configures f. It removes a socket that a
// crashed wallet left behind, but neither a socket that answers nor anything that is
// not a socket.
func bindSocket(o Options, f *front) (*listener, error) {
	if !peercred.Known {
		return nil, errors.New("a unix socket needs Linux or macOS, since this system does not report whose process connects; use --rpc-http, with --rpc-auth against other users")
	}
	l, err := listenUnix(o)
	if err != nil {
		return nil, err
	}
	f.local, f.owner = true, o.Owner
	f.filter = requestFilter{local: true, origins: o.AllowedOrigins}
	return &listener{Listener: outboxListener{&ownListener{UnixListener: l, uid: os.Getuid(), group: o.SocketGroup != 0}}, server: f.configure(o)}, nil
}

// listenUnix returns the listener that was passed, whose mode is up to who made it, or else makes one.
func listenUnix(o Options) (*net.UnixListener, error) {
	if l, passed := o.Passed[ListenSocket].(*net.UnixListener); passed {
		l.SetUnlinkOnClose(false) // it outlives this program
		return l, nil
	}
	if err := removeStale(o.Socket); err != nil {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: o.Socket, Net: "unix"})
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("cannot listen on the socket %s: its folder does not exist; make the folder, or choose another path", o.Socket)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on the socket %s; choose a path of at most 100 bytes in a folder of yours: %w", o.Socket, err)
	}
	// A process of another user that connects before the mode is set is refused by its user id.
	if err := os.Chmod(o.Socket, socketMode); err != nil {
		return nil, errors.Join(fmt.Errorf("the socket %s cannot be restricted to this user: %w", o.Socket, err), l.Close())
	}
	if err := openToGroup(l, o); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// openToGroup lets the members of a group connect, and nobody who did so before.
func openToGroup(l *net.UnixListener, o Options) error {
	if o.SocketGroup == 0 {
		return nil
	}
	for end := time.Now().Add(time.Millisecond); ; {
		if err := l.SetDeadline(end); err != nil {
			return err
		}
		conn, err := l.AcceptUnix()
		if err != nil {
			break
		}
		_ = conn.Close()
	}
	if err := os.Chown(o.Socket, -1, int(o.SocketGroup)); err != nil {
		return fmt.Errorf("the socket %s cannot be given to the group %d, which the wallet's user has to be a member of: %w", o.Socket, o.SocketGroup, err)
	}
	if err := os.Chmod(o.Socket, groupMode); err != nil {
		return fmt.Errorf("the socket %s cannot be opened to its group: %w", o.Socket, err)
	}
	return l.SetDeadline(time.Time{})
}

func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the socket %s cannot be used: %w", path, err)
	}
	if info.Mode().Type() != os.ModeSocket {
		return fmt.Errorf("%s exists and is not a socket; choose another path", path)
	}
	if conn, err := net.DialTimeout("unix", path, time.Second); err == nil {
		_ = conn.Close()
		return fmt.Errorf("another wallet serves the socket %s; end it, or choose another path", path)
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("the old socket %s cannot be removed: %w", path, err)
	}
	return nil
}

// ownListener accepts connections from processes of one user and, if the file is open to a group, of its members: the system lets in nobody else
// then, and a user namespace does not show who they are.
type ownListener struct {
	*net.UnixListener
	uid    int
	group  bool
	serial atomic.Uint64
}

// Accept returns the next connection that may be, and closes the others.
func (l *ownListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		uid, err := peercred.UID(conn)
		name := ownPeer
		switch {
		case err == nil && uid == l.uid:
		case err == nil && l.group:
			name = groupPeer
		default:
			_ = conn.Close()
			continue
		}
		return &localConn{conn, localAddr(name + strconv.FormatUint(l.serial.Add(1), 10))}, nil
	}
}

// How the addresses of clients begin: those of the wallet's user, for whom the system vouches, and those of members of the group.
const (
	ownPeer   = "unix#"
	groupPeer = "group#"
)

// localConn has a remote address of its own, since all clients of a unix socket have the same one.
type localConn struct {
	net.Conn
	addr localAddr
}

// RemoteAddr returns an address that identifies this connection.
func (c *localConn) RemoteAddr() net.Addr { return c.addr }

type localAddr string

// Network returns "unix".
func (localAddr) Network() string { return "unix" }

// String returns a text that is unique within the listener.
func (a localAddr) String() string { return string(a) }
