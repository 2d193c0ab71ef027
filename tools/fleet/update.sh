#!/bin/sh
# For multi-gitter or git-xargs: runs in each clone. They commit the changes and propose
# them. Needs copier and copier-template-extensions on the PATH.
set -eu
answers=$(git grep -l '^# eco-mem' -- '.copier-answers*.yml' ':(glob)**/.copier-answers*.yml') || exit 0
for file in $answers; do
  folder=$(dirname "$file")
  name=$(basename "$file")
  code=0
  (cd "$folder" && copier check-update --quiet --answers-file "$name") || code=$?
  case $code in
    0) continue ;;
    2) ;;
    *) exit "$code" ;;
  esac
  (cd "$folder" && copier update --quiet --trust --defaults --skip-answered --answers-file "$name")
  unmerged=$(git diff --name-only --diff-filter=U)
  if [ -n "$unmerged" ]; then
    echo "needs a person: $unmerged" >&2
    exit 1
  fi
  python3 "$folder/.agents/skills/eco-mem/scripts/verify.py" >&2
done
