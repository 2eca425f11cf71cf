"""Which programs, modules of Python and other files a script or a recipe names, read from its text: the words
where a command begins, in a shell; the lists that are given to a call and begin with a word, in Python."""

import ast
import re

RESERVED = {"!", "do", "done", "elif", "else", "esac", "fi", "if", "then", "until", "while", "{", "}", "[[", "]]"}
# No command begins after them.
CLAUSES = {"case", "for", "function", "select"}
BUILTIN = set("""
    . : [ alias bg break cd command compgen complete compopt continue declare echo eval exec exit export false
    fg getopts hash jobs kill let local mapfile printf pwd read readarray readonly return set shift shopt source
    test time trap true type ulimit umask unset wait""".split())
# A command comes after their options; and the options that take a word, and how many words come before it.
PREFIXES = {
    "command": (set(), 0), "env": ({"-u", "-C"}, 0), "exec": ({"-a"}, 0), "nice": ({"-n"}, 0),
    "nsenter": ({"-t"}, 0), "setpriv": ({"--pdeathsig", "--regid", "--reuid"}, 0), "stdbuf": ({"-o"}, 0),
    "sudo": ({"-u"}, 0), "time": (set(), 0), "timeout": ({"-k", "-s"}, 1), "unshare": (set(), 0),
    "xargs": ({"-I", "-P", "-n"}, 0)}
NAME = re.compile(r"[\w./+]?[\w./+-]*[A-Za-z][\w.+-]*\Z")
# The functions of Python that run a list: subprocess has them, and scripts of the tree.
RUNS = {"Popen", "Program", "call", "check_call", "check_output", "output", "run", "start"}


class Shell:
    """The commands of a text in the language of bash: a list of words each, in which `$` stands for what is
    not known before it runs."""

    def __init__(self, text):
        self.commands = []
        self._text, self._place, self._documents = text, 0, []
        self._read(False)

    def _next(self):
        self._place += 1
        return self._text[self._place - 1:self._place]

    def _skip(self, pattern):
        """What matches at this place, skipped."""
        found = re.compile(pattern).match(self._text, self._place)
        self._place = found.end() if found else self._place
        return found

    def _read(self, is_inner):
        """Up to the end of the text, or of the substitution in it."""
        words, word, depth = [], None, 0

        def end(of_command):
            nonlocal words, word
            if word is not None:
                words.append(word)
                word = None
            if of_command and words:
                self.commands.append(words)
                words = []

        while here := self._next():
            if here == "\\":
                after = self._next()
                word = word if after == "\n" else (word or "") + after
            elif here == "'":
                word = (word or "") + self._skip(r"[^']*'?")[0].rstrip("'")
            elif here == '"':
                word = (word or "") + self._quoted()
            elif here == "$" or here in "<>" and self._text.startswith("(", self._place):
                word = (word or "") + self._expanded()
            elif here == "#" and word is None:
                self._skip(r".*")
            elif here == "<" and (found := self._skip(r"<-?\s*(['\"]?)(\w+)\1")):
                self._documents.append(found[2])
            elif here in "<>":
                end(False)
                self._skip(r"[<>&|]*\s*")
                words.append(">")
            elif here in " \t":
                end(False)
            elif here == "(":
                depth += 1
                end(True)
            elif here == ")" and is_inner and depth == 0:
                break
            elif here in ";|&\n)":
                if here == ")" and depth == 0:
                    # It was the pattern of a case.
                    words, word = [], None
                depth -= here == ")" and depth > 0
                end(True)
                if here == "\n":
                    for tag in self._documents:
                        self._skip(rf"(?s:.*?)(?m:^\s*{tag}$)")
                    self._documents = []
            else:
                word = (word or "") + here
        end(True)

    def _quoted(self):
        word = ""
        while (here := self._next()) and here != '"':
            word += self._next() if here == "\\" else self._expanded() if here == "$" else here
        return word

    def _expanded(self):
        if self._skip(r"\(\((?s:.*?)\)\)"):
            pass
        elif self._skip(r"\("):
            kept, self._documents = self._documents, []
            self._read(True)
            self._documents = kept
        elif self._skip(r"\{"):
            depth = 1
            while depth and (here := self._next()):
                depth += {"{": 1, "}": -1}.get(here, 0)
                if here == '"':
                    self._quoted()
                elif here == "$":
                    self._expanded()
        else:
            self._skip(r"\w+|[^\w\s\"']?")
        return "$"


class Named:
    """`programs` and `modules` by name; `words`, which may be files; `purposes` of .ci/fetch."""

    def __init__(self):
        self.programs, self.modules, self.words, self.purposes = set(), set(), set(), set()

    def shell(self, text):
        own = set(re.findall(r"^\s*([\w-]+)\(\)", text, re.MULTILINE))
        for command in Shell(text).commands:
            self._command(command)
        self.programs -= own
        return self

    def _command(self, words):
        words = list(words)
        self.words.update(word for word in words if "/" in word)
        while words and (words[0] in RESERVED or words[0] == ">" or re.match(r"\w+(\[.*\])?\+?=", words[0])):
            del words[:2 if words[0] == ">" else 1]
        if not words or words[0] in CLAUSES:
            return
        name, *rest = words
        for place, word in enumerate(words):
            if word.endswith(".ci/fetch"):
                self.purposes.update(each for each in words[place + 1:] if re.match(r"[a-z-]+\Z", each))
        if not NAME.match(name):
            return
        if name not in BUILTIN:
            self.programs.add(name)
        if name in ("sh", "bash") and "-c" in rest[:-1]:
            self.shell(rest[rest.index("-c") + 1])
        if name in PREFIXES:
            with_word, before = PREFIXES[name]
            while rest and re.match(r"-|\$|[^/]*=", rest[0]):
                option = rest.pop(0)
                if option in with_word and rest:
                    rest.pop(0)
                if option == "--":
                    break
            self._command(rest[before:])

    def python(self, text, is_elsewhere):
        """`is_elsewhere`: what is not run by subprocess is run in a container, or a virtual machine."""
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                self.modules.update(each.name.split(".")[0] for each in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                self.modules.add(node.module.split(".")[0])
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                # A word alone may be a file of the script's own.
                self.words.add(text_of(node.right) if re.search(r"[./-]", text_of(node.right)) else "$")
            elif isinstance(node, ast.Call):
                function = getattr(node.func, "attr", getattr(node.func, "id", ""))
                module = getattr(getattr(node.func, "value", None), "id", "")
                if function in RUNS and (module == "subprocess" or not is_elsewhere):
                    lists = [each.elts for argument in node.args for each in ast.walk(argument)
                             if isinstance(each, ast.List)]
                    for given in lists or [node.args, node.args[1:]]:
                        self._command([text_of(each) for each in given])
        return self


def text_of(node):
    """A constant text; `$` for what is not known before it runs."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return node.value if is_text else "$"
