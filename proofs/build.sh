#!/usr/bin/env bash
# Check all proofs, extract the checks, build the program and the page, and run both on the vectors.
# Everything is made in proofs/build; the page is also written to docs/verify.html. Needs what `make proof-tools` installs.
set -euo pipefail
cd "$(dirname "$0")"
FILES="Vectors Additive Inequalities Perceptron Maps Network Finite Experts Fractions PassiveAggressive Winnow Floors Randomized League Logarithms
Balanced Normalized Romma Ridge Kernel Boxes Drawn Optimal Panel Hedge Elimination Drift"
DRIVER="json.ml sha256.ml data.ml floats.ml certificate.ml fractions.ml theorems.ml game.ml coins.ml additive.ml powers.ml classes.ml finite.ml elimination.ml advice.ml hedge.ml ridge.ml kernels.ml readings.ml mixture.ml league.ml verify.ml"
mkdir -p build/program build/page
cp ./*.v build/
cd build

if grep -nE '\b(Admitted|Axiom|Parameter|Conjecture|admit)\b' ../*.v; then
  echo "a proof is missing" >&2
  exit 1
fi
for name in $FILES; do
  coqc -Q . Littlestone "$name.v"
done
coqc -Q . Littlestone Assumptions.v > assumptions.txt
asked=$(grep -c '^Print Assumptions' Assumptions.v)
closed=$(grep -c '^Closed under the global context' assumptions.txt)
if [ "$asked" != "$closed" ]; then
  cat assumptions.txt >&2
  exit 1
fi
echo "proofs: $closed theorems, all closed under the global context"
coqchk -silent -Q . Littlestone $(for name in $FILES; do echo "Littlestone.$name"; done)
echo "coqchk: passed"
python3 ../needs_hypotheses.py .

coqc -Q . Littlestone Extract.v
cp checks.ml checks.mli ../driver/integer.ml ../driver/main.ml program/
cp checks.ml checks.mli ../driver/page.ml page/
cp ../driver/integer_bigint.ml page/integer.ml
for name in $DRIVER; do cp "../driver/$name" program/; cp "../driver/$name" page/; done
(cd program && ocamlfind ocamlopt -O3 -w -a -package zarith -linkpkg \
  integer.ml checks.mli checks.ml $DRIVER main.ml -o ../littlestone-verify)
(cd page && ocamlfind ocamlc -no-check-prims -w -a -package js_of_ocaml -linkpkg \
  integer.ml checks.mli checks.ml $DRIVER page.ml -o page.byte \
  && js_of_ocaml --opt 3 ../../driver/integer_bigint.js page.byte -o ../verify.js)
python3 ../write_page.py verify.js ../page.html ../../docs/verify.html
echo "built: proofs/build/littlestone-verify and docs/verify.html"

for vectors in ../examples ../../verifier/vectors; do
  if [ ! -e "$vectors/index.json" ]; then
    echo "no vectors in $vectors"
    continue
  fi
  python3 ../run_vectors.py ./littlestone-verify "$vectors"
  if command -v node > /dev/null; then
    python3 ../run_vectors.py "node ../driver/page_on_files.js ./verify.js" "$vectors"
  else
    echo "no node here: the script of the page is not run on the vectors"
  fi
done
