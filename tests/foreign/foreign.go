// The Go project's own transparency log packages: notes with sumdb/note, tiles and proofs with sumdb/tlog.
//
//	check DIR VKEY PROOFS                     reads a log that was exported as tiles: checkpoint, every tile and proof
//	cosign LOGVKEY NAME SEED SIZE ROOT        answers the add-checkpoint on standard input, after what it saw last
//	open NAME PUBLIC                          opens the note on standard input by the cosignature of that witness
//
// PROOFS has lines "record INDEX LEAF HASH…" and "tree SIZE ROOT HASH…". SEED and PUBLIC are in hex, ROOT and all hashes in
// base64. What is not accepted is refused with exit code 1.
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
	"path/filepath"
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

const height = 8

type directory string

func (d directory) Height() int { return height }

func (d directory) SaveTiles([]tlog.Tile, [][]byte) {}

func (d directory) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		name := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", height), "tile/", 1)
		data, err := os.ReadFile(filepath.Join(string(d), name))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func (d directory) bundle(number, width int64) ([][]byte, error) {
	tile := tlog.Tile{H: height, L: 0, N: number, W: int(width)}
	name := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/0/", height), "tile/entries/", 1)
	data, err := os.ReadFile(filepath.Join(string(d), name))
	var entries [][]byte
	for err == nil && len(data) > 0 {
		end := 2 + int(binary.BigEndian.Uint16(data))
		entries, data = append(entries, data[2:end]), data[end:]
	}
	return entries, err
}

func hashes(words []string) []tlog.Hash {
	var all []tlog.Hash
	for _, word := range words {
		all = append(all, hash(word))
	}
	return all
}

func check(dir directory, key, proofs string) {
	verifier, err := note.NewVerifier(key)
	must(err)
	signed, err := os.ReadFile(filepath.Join(string(dir), "checkpoint"))
	must(err)
	opened, err := note.Open(signed, note.VerifierList(verifier))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	size := number(lines[1])
	tree := tlog.Tree{N: size, Hash: hash(lines[2])}
	reader := tlog.TileHashReader(tree, dir)

	entries := int64(0)
	for number := int64(0); number*256 < size; number++ {
		width := min(256, size-number*256)
		bundle, err := dir.bundle(number, width)
		must(err)
		var indexes []int64
		for offset := range bundle {
			indexes = append(indexes, tlog.StoredHashIndex(0, number*256+int64(offset)))
		}
		leaves, err := reader.ReadHashes(indexes)
		must(err)
		for offset, entry := range bundle {
			if tlog.RecordHash(entry) != leaves[offset] {
				must(fmt.Errorf("entry %d is not in the tree", number*256+int64(offset)))
			}
		}
		entries += int64(len(bundle))
	}
	if entries != size {
		must(fmt.Errorf("%d entries for a tree of %d", entries, size))
	}

	given, err := os.ReadFile(proofs)
	must(err)
	records, trees := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(given)), "\n") {
		words := strings.Fields(line)
		place := number(words[1])
		switch words[0] {
		case "record":
			must(tlog.CheckRecord(hashes(words[3:]), tree.N, tree.Hash, place, hash(words[2])))
			records++
		case "tree":
			root, err := tlog.TreeHash(place, reader)
			must(err)
			if root != hash(words[2]) {
				must(fmt.Errorf("another tree head at %d", place))
			}
			must(tlog.CheckTree(hashes(words[3:]), tree.N, tree.Hash, place, root))
			trees++
		}
	}
	fmt.Printf("%d entries, %d inclusion proofs, %d consistency proofs\n", entries, records, trees)
}

// A witness.

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
	args := os.Args[2:]
	if os.Args[1] == "check" {
		check(directory(args[0]), args[1], args[2])
		return
	}
	body, err := io.ReadAll(os.Stdin)
	must(err)
	if os.Args[1] == "cosign" {
		cosign(string(body), args[0], args[1], args[2], number(args[3]), hash(args[4]))
		return
	}
	opened, err := note.Open(body, note.VerifierList(cosigner{name: args[0], public: bytesOf(args[1])}))
	must(err)
	fmt.Print(opened.Text)
}
