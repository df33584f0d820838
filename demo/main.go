// Command demo serves the demo shop.
//
//	go run ./demo [-addr localhost:8080] [-host name,name]
//
// It builds what is missing or out of date in dist, listens on loopback and answers to loopback names unless told
// otherwise (-addr and -host name other machines' way here), prints the address of
// the page on standard output, and serves until it gets an interrupt (Ctrl-C) or SIGTERM; open requests are answered
// before it exits with 0. When it cannot start it says why and what to do in one line on standard error, and exits
// with 1. With port 0 the operating system chooses a free port.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/webmcp-wasm/webmcp/demo/server"
	"github.com/webmcp-wasm/webmcp/internal/dist"
)

// patience is how long requests may still take once the program was told to stop.
const patience = 5 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once

	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		os.Exit(2) // flag has said it already
	default:
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// errUsage is a command line that was not understood, and reported.
var errUsage = errors.New("usage")

// run is the command. It returns nil when ctx ended it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "localhost:8080", "`host:port` to serve on; port 0 is any free one")
	named := flags.String("host", "", "comma-separated `names` that the server answers to besides localhost and the host of -addr")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errUsage
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "demo takes no arguments, only -addr and -host: %q\n", flags.Args())
		return errUsage
	}

	root, err := dist.Root()
	if err != nil {
		return err
	}
	if err := server.CheckSite(root); err != nil {
		return err
	}
	// Listening comes before building: a port in use is better told now than in half a minute.
	listener, err := listen(ctx, *addr)
	if err != nil {
		return err
	}
	defer listener.Close()

	fmt.Fprintln(stderr, "Building what is missing. The first time takes up to a minute.")
	if err := dist.Build(ctx, filepath.Join(root, "dist")); err != nil && ctx.Err() == nil {
		return err
	}
	if ctx.Err() != nil {
		return nil
	}
	handler, err := server.New(root, hosts(*addr, *named)...)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "Serving %s (Ctrl-C stops)\n", address(*addr, listener.Addr()))
	return serve(ctx, listener, handler)
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use by another program: stop that one, or let us find a free port with -addr localhost:0", addr)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot serve on %s (%w): choose another address with -addr host:port", addr, err)
	}
	return listener, nil
}

// address is where a browser on this machine finds the page: the host as it was asked for, with the port that it got.
func address(asked string, got net.Addr) string {
	host, _, _ := net.SplitHostPort(asked)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost" // all interfaces; and browsers offer WebMCP to localhost, not to a plain address over http
	}
	_, port, _ := net.SplitHostPort(got.String())
	return "http://" + net.JoinHostPort(host, port) + server.Home
}

// hosts returns what the server answers to besides loopback: the host that it was told to listen on, and the names
// that it was given.
func hosts(addr, named string) (found []string) {
	host, _, _ := net.SplitHostPort(addr)
	for _, name := range append(strings.Split(named, ","), host) {
		name = strings.TrimSpace(name)
		if ip := net.ParseIP(name); name != "" && (ip == nil || !ip.IsUnspecified()) {
			found = append(found, name)
		}
	}
	return found
}

// newServer returns a server that no client can hold on to for long, however slowly it sends or reads.
func newServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       20 * time.Second,
		WriteTimeout:      2 * time.Minute, // the module over a slow line
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    1 << 16,
	}
}

// serve answers requests until ctx ends, then lets open requests finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	s := newServer(handler)
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := s.Shutdown(ending); err != nil {
		s.Close() // someone holds on to a request: the user wants us gone
	}
	return nil
}
