// Horizon, the one that Stellar's operators run, on ledgers that a file holds. It takes every setting
// from the environment, as ever; three things are ours. It listens on loopback alone: Horizon itself
// has no setting for that, so it runs in a network namespace of its own (Linux), and connections to
// the port told on standard output are carried in. As "stellar-core" this program is what Horizon
// starts to hear of ledgers, and gives it those of the file, as they are added to it. The end of
// standard input ends it.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/stellar/go/services/horizon/cmd"
)

const (
	insideVariable  = "QUITTANCE_HORIZON_INSIDE"
	ledgersVariable = "QUITTANCE_LEDGERS"
	insidePort      = "8000"
	// Where both Horizon and the standing core find the first file handed to them.
	firstFile = 3
)

func main() {
	log.SetFlags(0)
	switch {
	case filepath.Base(os.Args[0]) == "stellar-core":
		core(os.Args[1:])
	case os.Getenv(insideVariable) != "":
		inside()
	default:
		outside()
	}
}

// outside listens on loopback and starts the same program in a namespace without a network.
func outside() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	file, err := listener.(*net.TCPListener).File()
	must(err)
	program, err := os.Executable()
	must(err)
	child := exec.Command(program, "serve")
	child.Env = append(os.Environ(), insideVariable+"=1", "PORT="+insidePort)
	child.Stdout, child.Stderr = os.Stderr, os.Stderr
	child.ExtraFiles = []*os.File{file}
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	must(child.Start())
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = child.Process.Signal(syscall.SIGTERM)
		time.Sleep(10 * time.Second)
		_ = child.Process.Kill()
	}()
	if err := child.Wait(); err != nil {
		log.Fatalf("Horizon ended: %v", err)
	}
}

// inside carries connections from the listener that was handed in to Horizon's own.
func inside() {
	must(raiseLoopback())
	listener, err := net.FileListener(os.NewFile(firstFile, "listener"))
	must(err)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go carry(connection)
		}
	}()
	if err := cmd.Execute(); err != nil {
		log.Fatal(err)
	}
}

func carry(from net.Conn) {
	defer from.Close()
	to, err := net.Dial("tcp", "127.0.0.1:"+insidePort)
	if err != nil {
		return
	}
	defer to.Close()
	ends := make(chan struct{}, 2)
	for _, pair := range [][2]net.Conn{{to, from}, {from, to}} {
		go func() {
			_, _ = io.Copy(pair[0], pair[1])
			ends <- struct{}{}
		}()
	}
	<-ends
}

// raiseLoopback switches on the only interface that a new namespace has.
func raiseLoopback() error {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(socket)
	var request struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], "lo")
	request.flags = syscall.IFF_UP | syscall.IFF_RUNNING
	_, _, number := syscall.Syscall(
		syscall.SYS_IOCTL, uintptr(socket), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request)),
	)
	if number != 0 {
		return number
	}
	return nil
}

// core answers the commands that Horizon gives to stellar-core. A database that is not there yet is
// what makes Horizon begin at the checkpoint of its archive.
func core(words []string) {
	said := strings.Join(words, " ")
	switch {
	case strings.Contains(said, "offline-info"):
		os.Exit(1)
	case strings.HasPrefix(said, "version"):
		fmt.Println("stellar-core 23.0.0 (recorded ledgers)\nledger protocol version: 23")
	case strings.Contains(said, "--metadata-output-stream"):
		follow(os.Getenv(ledgersVariable), os.NewFile(firstFile, "ledgers"))
	}
}

// follow writes what the file holds and what is added to it, until somebody ends the process.
func follow(name string, to io.Writer) {
	from, err := os.Open(name)
	must(err)
	for {
		if _, err := io.Copy(to, from); err != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
