// A witness on the Go project's own transparency log packages: notes with sumdb/note, consistency with sumdb/tlog.
//
//	witness cosign LOGVKEY NAME SEED SIZE ROOT   answers the add-checkpoint on standard input, after what it saw last
//	witness open NAME PUBLIC                     opens the note on standard input by the cosignature of that witness
//
// SEED and PUBLIC are in hex, ROOT in base64. What it does not accept it refuses with exit code 1.
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type cosigner struct {
	name    string
	public  ed25519.PublicKey
	private ed25519.PrivateKey
}

func (c cosigner) Name() string { return c.name }

func (c cosigner) KeyHash() uint32 {
	sum := sha256.Sum256(append([]byte(c.name+"\n\x04"), c.public...))
	return binary.BigEndian.Uint32(sum[:])
}

func message(seconds uint64, text []byte) []byte {
	return append([]byte(fmt.Sprintf("cosignature/v1\ntime %d\n", seconds)), text...)
}

func (c cosigner) Sign(text []byte) ([]byte, error) {
	seconds := uint64(time.Now().Unix())
	return append(binary.BigEndian.AppendUint64(nil, seconds), ed25519.Sign(c.private, message(seconds, text))...), nil
}

func (c cosigner) Verify(text, signature []byte) bool {
	return len(signature) == 8+ed25519.SignatureSize &&
		ed25519.Verify(c.public, message(binary.BigEndian.Uint64(signature), text), signature[8:])
}

func hash(text string) tlog.Hash {
	data, err := base64.StdEncoding.DecodeString(text)
	must(err)
	if len(data) != tlog.HashSize {
		must(errors.New("no hash"))
	}
	return tlog.Hash(data)
}

func number(text string) int64 {
	found, err := strconv.ParseInt(text, 10, 64)
	must(err)
	return found
}

func bytesOf(text string) []byte {
	data, err := hex.DecodeString(text)
	must(err)
	return data
}

func cosign(body, key, name, seed string, size int64, root tlog.Hash) {
	head, signed, _ := strings.Cut(body, "\n\n")
	lines := strings.Split(head, "\n")
	if lines[0] != fmt.Sprintf("old %d", size) {
		must(errors.New("another old size"))
	}
	log, err := note.NewVerifier(key)
	must(err)
	opened, err := note.Open([]byte(signed), note.VerifierList(log))
	must(err)
	checkpoint := strings.Split(opened.Text, "\n")
	var proof tlog.TreeProof
	for _, line := range lines[1:] {
		proof = append(proof, hash(line))
	}
	if size > 0 {
		must(tlog.CheckTree(proof, number(checkpoint[1]), hash(checkpoint[2]), size, root))
	}
	private := ed25519.NewKeyFromSeed(bytesOf(seed))
	signer := cosigner{name, private.Public().(ed25519.PublicKey), private}
	cosigned, err := note.Sign(&note.Note{Text: opened.Text}, signer)
	must(err)
	fmt.Print(strings.TrimPrefix(string(cosigned), opened.Text+"\n"))
}

func main() {
	body, err := io.ReadAll(os.Stdin)
	must(err)
	if args := os.Args[2:]; os.Args[1] == "cosign" {
		cosign(string(body), args[0], args[1], args[2], number(args[3]), hash(args[4]))
	} else {
		opened, err := note.Open(body, note.VerifierList(cosigner{name: args[0], public: bytesOf(args[1])}))
		must(err)
		fmt.Print(opened.Text)
	}
}
