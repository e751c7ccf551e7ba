# What doxygen can't follow in our pages: places inside a page by GitHub's names, and the page in Chinese.
s/\]\(#[^)]*\)/]/g
s/\]\(README\.zh-CN\.md\)/]/g
