// A prepared chain behind go-ethereum's own JSON-RPC server, with the limits that geth has: what is
// said of a batch that is too long, and of answers that are too long together, is said by its code.
// The chain is a file; the port is told on standard output; the end of standard input ends it.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/rpc"
)

type block struct {
	Number       string            `json:"number"`
	Hash         string            `json:"hash"`
	ParentHash   string            `json:"parentHash"`
	Timestamp    string            `json:"timestamp"`
	Transactions []json.RawMessage `json:"transactions"`
	Receipts     []json.RawMessage `json:"receipts"`
	// By address, or by contract/address, in lower case.
	Balances map[string]string `json:"balances"`
}

type token struct {
	Code     string `json:"code"`
	Decimals string `json:"decimals"`
}

type chain struct {
	ChainID  string           `json:"chainId"`
	FinalLag int              `json:"finalLag"`
	Blocks   []block          `json:"blocks"`
	Tokens   map[string]token `json:"tokens"`
}

func (c *chain) at(tag string) *block {
	last := len(c.Blocks) - 1
	switch tag {
	case "latest":
		return &c.Blocks[last]
	case "finalized":
		return &c.Blocks[max(0, last-c.FinalLag)]
	}
	height, err := strconv.ParseInt(strings.TrimPrefix(tag, "0x"), 16, 64)
	if err != nil || height < 0 || int(height) > last {
		return nil
	}
	return &c.Blocks[height]
}

func (c *chain) of(hash string) *block {
	for at := range c.Blocks {
		if c.Blocks[at].Hash == hash {
			return &c.Blocks[at]
		}
	}
	return nil
}

type ethAPI struct{ chain *chain }

func (api *ethAPI) ChainId() string     { return api.chain.ChainID }
func (api *ethAPI) BlockNumber() string { return api.chain.at("latest").Number }

func (api *ethAPI) GetBlockByNumber(tag string, whole bool) (any, error) {
	found := api.chain.at(tag)
	if found == nil {
		return nil, nil
	}
	shown := map[string]any{
		"number":     found.Number,
		"hash":       found.Hash,
		"parentHash": found.ParentHash,
		"timestamp":  found.Timestamp,
	}
	if whole {
		shown["transactions"] = found.Transactions
		return shown, nil
	}
	hashes := []string{}
	for _, raw := range found.Transactions {
		var named struct{ Hash string }
		if err := json.Unmarshal(raw, &named); err != nil {
			return nil, err
		}
		hashes = append(hashes, named.Hash)
	}
	shown["transactions"] = hashes
	return shown, nil
}

func (api *ethAPI) GetBlockReceipts(hash string) ([]json.RawMessage, error) {
	if found := api.chain.of(hash); found != nil {
		return found.Receipts, nil
	}
	return nil, nil
}

func (api *ethAPI) GetTransactionReceipt(hash string) (json.RawMessage, error) {
	for _, one := range api.chain.Blocks {
		for _, raw := range one.Receipts {
			var named struct{ TransactionHash string }
			if err := json.Unmarshal(raw, &named); err != nil {
				return nil, err
			}
			if named.TransactionHash == hash {
				return raw, nil
			}
		}
	}
	return nil, nil
}

type filter struct {
	BlockHash string   `json:"blockHash"`
	Address   []string `json:"address"`
	Topics    []string `json:"topics"`
}

func (api *ethAPI) GetLogs(wanted filter) ([]json.RawMessage, error) {
	found := api.chain.of(wanted.BlockHash)
	if found == nil {
		return nil, errors.New("unknown block")
	}
	logs := []json.RawMessage{}
	for _, raw := range found.Receipts {
		var receipt struct{ Logs []json.RawMessage }
		if err := json.Unmarshal(raw, &receipt); err != nil {
			return nil, err
		}
		for _, log := range receipt.Logs {
			if matches(log, wanted) {
				logs = append(logs, log)
			}
		}
	}
	return logs, nil
}

func matches(raw json.RawMessage, wanted filter) bool {
	var log struct {
		Address string
		Topics  []string
	}
	if json.Unmarshal(raw, &log) != nil || len(log.Topics) == 0 {
		return false
	}
	for _, address := range wanted.Address {
		if strings.EqualFold(address, log.Address) {
			return len(wanted.Topics) == 0 || wanted.Topics[0] == log.Topics[0]
		}
	}
	return false
}

func (api *ethAPI) balance(key string, tag string) (string, error) {
	found := api.chain.at(tag)
	if found == nil {
		return "", errors.New("header not found")
	}
	if units, isKnown := found.Balances[strings.ToLower(key)]; isKnown {
		return units, nil
	}
	return "0x0", nil
}

func (api *ethAPI) GetBalance(address string, tag string) (string, error) {
	return api.balance(address, tag)
}

func (api *ethAPI) GetCode(address string, tag string) string {
	if known, isKnown := api.chain.Tokens[strings.ToLower(address)]; isKnown {
		return known.Code
	}
	return "0x"
}

type call struct {
	To   string `json:"to"`
	Data string `json:"data"`
}

func (api *ethAPI) Call(made call, tag string) (string, error) {
	known, isKnown := api.chain.Tokens[strings.ToLower(made.To)]
	if !isKnown || len(made.Data) < 10 {
		return "0x", nil
	}
	if made.Data == "0x313ce567" {
		return known.Decimals, nil
	}
	units, err := api.balance(made.To+"/0x"+made.Data[len(made.Data)-40:], tag)
	return "0x" + fmt.Sprintf("%064s", strings.TrimPrefix(units, "0x")), err
}

type web3API struct{}

func (web3API) ClientVersion() string { return "go-ethereum/rpc" }

func main() {
	file := flag.String("chain", "", "the prepared chain")
	items := flag.Int("items", 1000, "questions in a batch, as geth has it")
	bytes := flag.Int("response", 25_000_000, "bytes of the answers to a batch, as geth has it")
	body := flag.Int("body", 5*1024*1024, "bytes of a question, as geth has it")
	flag.Parse()
	text, err := os.ReadFile(*file)
	if err != nil {
		log.Fatal(err)
	}
	var prepared chain
	if err := json.Unmarshal(text, &prepared); err != nil {
		log.Fatal(err)
	}
	server := rpc.NewServer()
	server.SetBatchLimits(*items, *bytes)
	server.SetHTTPBodyLimit(*body)
	for name, api := range map[string]any{"eth": &ethAPI{&prepared}, "web3": web3API{}} {
		if err := server.RegisterName(name, api); err != nil {
			log.Fatal(err)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	log.Fatal(http.Serve(listener, server))
}
