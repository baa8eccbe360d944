#!/bin/sh
# Makes the letters of pictures (crates/picture/fonts) from Noto Sans CJK: font.sh NotoSansCJK-Bold.ttc [PYFTSUBSET]
# pyftsubset comes with fonttools. The font of Chinese in simplified characters is the third of the collection.
set -eu
font=$1
subset=${2:-pyftsubset}
cd "$(dirname "$0")/.."
letters=$(mktemp)
trap 'rm -f "$letters"' EXIT
python3 - "$letters" <<'PYTHON'
import pathlib, sys

letters = set(range(0x20, 0x7F)) | set(range(0xA1, 0x180))
letters |= {ord(c) for c in "–—‘’“”•…←↑→↓−帥將傌馬俥車砲漢國戰龍鳳槍劍騎衛軍師員蟲獸鳥魚雞貓豬獅鷹艦飛彈坦導雷魔術塔營長連排團"}


def gb2312(rows):
    for row in rows:
        for place in range(0xA1, 0xFF):
            try:
                letters.add(ord(bytes([row, place]).decode("gb2312")))
            except UnicodeDecodeError:
                pass


gb2312(range(0xB0, 0xD8))
gb2312([0xA1, 0xA3])
texts = [*pathlib.Path("texts/zh").glob("*.ftl")]
texts += [p for p in pathlib.Path("maps").rglob("*") if p.suffix in {".csv", ".toml", ".md", ".py"}]
for path in texts:
    letters |= {ord(c) for c in path.read_text(errors="ignore") if ord(c) > 0x7F}
pathlib.Path(sys.argv[1]).write_text("\n".join(f"{c:04X}" for c in sorted(letters)))
PYTHON
"$subset" "$font" --font-number=2 --unicodes-file="$letters" \
    --output-file=crates/picture/fonts/NotoSansSC-Bold.subset.otf --no-hinting --desubroutinize --layout-features='' \
    --drop-tables+=GSUB,GPOS,GDEF,BASE,VORG,vhea,vmtx,DSIG,STAT --name-IDs=0,1,2,13,14 --no-notdef-outline
