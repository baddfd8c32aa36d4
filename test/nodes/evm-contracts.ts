// Contracts for the stories on a real EVM node, compiled in the test by solc: an honest token, tokens
// that are not what they seem, and contracts that send coins from inside.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const SOURCE = `
// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

contract Token {
    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;
    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint8 places) { decimals = places; }

    function mint(address to, uint256 units) external {
        balanceOf[to] += units;
        emit Transfer(address(0), to, units);
    }

    function transfer(address to, uint256 units) external virtual returns (bool) {
        move(msg.sender, to, units);
        emit Transfer(msg.sender, to, units);
        return true;
    }

    /// Several payments in one transaction.
    function transferMany(address[] calldata receivers, uint256[] calldata units) external {
        for (uint256 at = 0; at < receivers.length; at++) {
            move(msg.sender, receivers[at], units[at]);
            emit Transfer(msg.sender, receivers[at], units[at]);
        }
    }

    function move(address from, address to, uint256 units) internal {
        balanceOf[from] -= units;
        balanceOf[to] += units;
    }
}

/// Keeps one percent and says nothing of it.
contract FeeToken is Token {
    constructor(uint8 places) Token(places) {}

    function transfer(address to, uint256 units) external override returns (bool) {
        move(msg.sender, to, units - units / 100);
        balanceOf[msg.sender] -= units / 100;
        emit Transfer(msg.sender, to, units);
        return true;
    }
}

/// Says that it moved something, and moves nothing.
contract LyingToken is Token {
    constructor(uint8 places) Token(places) {}

    function transfer(address to, uint256 units) external override returns (bool) {
        emit Transfer(msg.sender, to, units);
        return true;
    }
}

/// Returns nothing, can be paused, and keeps a list of whom it serves no more (as USDT).
contract StoppableToken {
    uint8 public immutable decimals;
    bool public paused;
    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public isBlackListed;
    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint8 places) { decimals = places; }

    function mint(address to, uint256 units) external { balanceOf[to] += units; }
    function pause(bool isPaused) external { paused = isPaused; }
    function stop(address who, bool isStopped) external { isBlackListed[who] = isStopped; }

    function transfer(address to, uint256 units) external {
        require(!paused && !isBlackListed[msg.sender]);
        balanceOf[msg.sender] -= units;
        balanceOf[to] += units;
        emit Transfer(msg.sender, to, units);
    }
}

/// Takes transfers that their payer has signed (EIP-3009), as USDC does. Name and version are in the
/// code, so that it can stand at any address.
contract AuthorizedToken is Token {
    string public constant name = "USD Coin";
    string public constant version = "2";
    mapping(address => mapping(bytes32 => bool)) public authorizationState;
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    constructor(uint8 places) Token(places) {}

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
            keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this)));
    }

    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore,
        bytes32 nonce, uint8 v, bytes32 r, bytes32 s
    ) external {
        require(block.timestamp > validAfter && block.timestamp < validBefore, "not valid now");
        require(!authorizationState[from][nonce], "authorization is used or canceled");
        bytes32 message = keccak256(abi.encode(
            keccak256("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"),
            from, to, value, validAfter, validBefore, nonce));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), message));
        require(ecrecover(digest, v, r, s) == from, "invalid signature");
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        move(from, to, value);
        emit Transfer(from, to, value);
    }
}

contract Sender {
    error Undone();

    /// Coins from inside a call.
    function forward(address payable to) external payable {
        (bool isDone,) = to.call{value: msg.value}("");
        require(isDone);
    }

    /// The inner call sends and is undone; the transaction is a success.
    function forwardAndUndo(address payable to) external payable {
        try this.sendAndUndo{value: msg.value}(to) {} catch { /* as intended */ }
    }

    function sendAndUndo(address payable to) external payable {
        (bool isDone,) = to.call{value: msg.value}("");
        require(isDone);
        revert Undone();
    }

    function forwardMany(address payable[] calldata receivers, uint256[] calldata units) external payable {
        for (uint256 at = 0; at < receivers.length; at++) {
            (bool isDone,) = receivers[at].call{value: units[at]}("");
            require(isDone);
        }
    }
}
`;

export const CONTRACT_NAMES = [
  'Token',
  'FeeToken',
  'LyingToken',
  'StoppableToken',
  'AuthorizedToken',
  'Sender',
] as const;
export type ContractName = (typeof CONTRACT_NAMES)[number];

export type Compiled = Readonly<Record<ContractName, `0x${string}`>>;

type SolcOutput = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>;
};

/** Creation code of each. */
export function compileContracts(): Compiled {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: { 'all.sol': { content: SOURCE } },
    settings: {
      evmVersion: 'paris',
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  const faults = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  assert.deepEqual(
    faults.map(({ formattedMessage }) => formattedMessage),
    [],
  );
  const codeOf = (name: ContractName): `0x${string}` => {
    const contract = output.contracts?.['all.sol']?.[name];
    assert(contract !== undefined, `${name} was not compiled`);
    return `0x${contract.evm.bytecode.object}`;
  };
  return {
    Token: codeOf('Token'),
    FeeToken: codeOf('FeeToken'),
    LyingToken: codeOf('LyingToken'),
    StoppableToken: codeOf('StoppableToken'),
    AuthorizedToken: codeOf('AuthorizedToken'),
    Sender: codeOf('Sender'),
  };
}
