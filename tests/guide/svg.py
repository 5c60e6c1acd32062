"""Just enough SVG for the pictures of the guide: text, lines and boxes on a white card, so that they read on light and on dark
pages. Numbers have one decimal, so that the same input gives the same bytes.
"""
# SPDX-License-Identifier: MIT
import html

INK, SOFT, FAINT = '#1f2933', '#5b6772', '#d5dbe1'
BLUE, ORANGE = '#1668c4', '#c2571a'


def number(x):
    text = f'{x:.1f}'
    return '0' if text == '-0.0' else text.removesuffix('.0')


class Picture:
    def __init__(self, width, height, title):
        self.size = width, height
        self.lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif" role="img">',
                      f'<title>{html.escape(title)}</title>',
                      '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
                      f'orient="auto"><path d="M0 0.5 L7 4 L0 7.5 Z" fill="{SOFT}"/></marker></defs>',
                      f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="8" fill="#ffffff" '
                      f'stroke="{FAINT}"/>']

    def text(self, x, y, words, size=14, color=INK, anchor='start', weight='normal'):
        self.lines.append(f'<text x="{number(x)}" y="{number(y)}" font-size="{size}" fill="{color}" '
                          f'text-anchor="{anchor}" font-weight="{weight}">{html.escape(words)}</text>')

    def box(self, x, y, width, height, fill='#ffffff', stroke=SOFT):
        self.lines.append(f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
                          f'rx="6" fill="{fill}" stroke="{stroke}"/>')

    def line(self, points, color=INK, width=1.5, dash='', arrow=False):
        where = ' '.join(f'{number(x)},{number(y)}' for x, y in points)
        extra = (f' stroke-dasharray="{dash}"' if dash else '') + (' marker-end="url(#tip)"' if arrow else '')
        self.lines.append(f'<polyline points="{where}" fill="none" stroke="{color}" stroke-width="{width}" '
                          f'stroke-linejoin="round" stroke-linecap="round"{extra}/>')

    def dot(self, x, y, radius, fill, stroke='none'):
        self.lines.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}" '
                          f'stroke="{stroke}"/>')

    def svg(self):
        return '\n'.join([*self.lines, '</svg>', ''])
