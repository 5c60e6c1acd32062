"""The pages that play recordings in headless Chromium, opened as files: what is seen, dragged and clicked."""
# SPDX-License-Identifier: MIT
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib
from base64 import b64decode

from tool import Balanced

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

DESK, PHONE = (1280, 800), (390, 844)
SMALL = (800, 600)  # most tests: software draws it quickly
SHRUNK = 0.45  # screenshots are looked at in a size that plain Python decodes quickly
WEIGHT_N = 2 * 9.80665
OPTIONS = ('--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking '
           '--disable-component-update --disable-sync --use-gl=angle --use-angle=swiftshader '
           '--enable-unsafe-swiftshader --hide-scrollbars').split()
# Software drawing says so after a screenshot; it is no message of the page.
NOT_OURS = 'GPU stall due to ReadPixels'


def make_page(name, folder):
    subprocess.run([os.environ['KINECAST_MAKE_PAGE'], name, f'{name}.html'], cwd=folder, check=True)
    return folder / f'{name}.html'


def show_page(folder):
    subprocess.run([os.environ['KINECAST_TOOL'], 'show', 'pendulum', 'arm', '-o', 'scenes.html'], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)


def decoded(png):
    """[(red, green, blue), ...] of an 8-bit PNG without interlacing, and its width."""
    place, packed = 8, b''
    while place < len(png):
        size, kind = struct.unpack('>I4s', png[place:place + 8])
        body = png[place + 8:place + 8 + size]
        if kind == b'IHDR':
            width, height, depth, colour, _, _, interlaced = struct.unpack('>IIBBBBB', body)
            assert depth == 8 and colour in (2, 6) and not interlaced, (depth, colour, interlaced)
        elif kind == b'IDAT':
            packed += body
        place += size + 12
    channels = 4 if colour == 6 else 3
    raw, stride = zlib.decompress(packed), width * channels
    before, pixels = bytearray(stride), []
    for y in range(height):
        start = y * (stride + 1)
        row = unfiltered(raw[start], bytearray(raw[start + 1:start + 1 + stride]), before, channels)
        pixels += zip(row[0::channels], row[1::channels], row[2::channels])
        before = row
    return pixels, width


def unfiltered(kind, row, before, back):
    for i in range(len(row)) if kind else ():
        left, above, corner = (row[i - back], before[i], before[i - back]) if i >= back else (0, before[i], 0)
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = above
        elif kind == 3:
            guess = (left + above) // 2
        else:
            guess = min((left, above, corner), key=lambda near: abs(left + above - corner - near))
        row[i] = (row[i] + guess) & 255
    return row


def different(one, other):
    """How many pixels differ by more than what smooth edges do."""
    return sum(max(abs(a - b) for a, b in zip(p, q)) > 24 for p, q in zip(one, other))


def like(pixels, test):
    return [i for i, pixel in enumerate(pixels) if test(*pixel)]


def blue(red, green, below):  # shapes
    return below > red + 30 and below > green + 10


def green_arrow(red, green, below):
    return green > red + 40 and green > below + 30


def red_arrow(red, green, below):
    return red > green + 60 and red > below + 60


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name in ('pendulum', 'box', 'hostile'):
            make_page(name, cls.folder)
        show_page(cls.folder)
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which('chromium')
        for option in (*OPTIONS, f'--user-data-dir={cls.folder / "profile"}'):
            options.add_argument(option)
        options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
        cls.browser = webdriver.Chrome(service=Service(shutil.which('chromedriver'), env={**os.environ, 'HOME': str(cls.folder)}),
                                       options=options)
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.get('about:blank')
        cls.browser.get_log('performance')  # the browser's own first page

    def setUp(self):
        self.resize(*SMALL)

    def tearDown(self):
        """No message on the console and no request but for the page itself, whatever a test did."""
        messages = [entry['message'] for entry in self.browser.get_log('browser') if NOT_OURS not in entry['message']]
        self.assertEqual(messages, [])
        asked = set()
        for entry in self.browser.get_log('performance'):
            message = json.loads(entry['message'])['message']
            if message['method'] == 'Network.requestWillBeSent':
                asked.add(message['params']['request']['url'].split('#')[0])
        pages = {(self.folder / f'{name}.html').as_uri() for name in ('pendulum', 'box', 'hostile', 'scenes')}
        self.assertEqual(asked - pages, set())
        self.assertNotEqual(asked, set(), 'the log of requests is empty: nothing is checked')

    def resize(self, width, height):
        self.browser.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', {
            'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': width < 600})

    def open(self, name, address=''):
        self.browser.get('about:blank')  # else another #t= would not load the page again
        self.browser.get((self.folder / f'{name}.html').as_uri() + address)
        self.assertEqual(self.browser.execute_script('return document.readyState'), 'complete')

    def at(self, name):
        return self.browser.find_element(By.CLASS_NAME, name)

    def clock(self):
        return float(self.at('clock').text.split()[0])

    def wait(self, test, what):
        end = time.monotonic() + 20
        while not test():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)

    def seek(self, instant):
        self.browser.execute_script('location.hash = "t=" + arguments[0]', str(instant))
        self.wait(lambda: self.clock() == instant, f'not at {instant} s')

    def set_speed(self, value):
        self.browser.execute_script('document.querySelector(".speed").value = arguments[0]', value)

    def pixels(self):
        """Of the stage, after two frames: what was asked for is drawn. And the width."""
        self.browser.execute_async_script('requestAnimationFrame(() => requestAnimationFrame(arguments[0]))')
        box = self.browser.execute_script(
            'const b = document.querySelector(".stage").getBoundingClientRect();'
            'return {x: b.x + scrollX, y: b.y + scrollY, width: b.width, height: b.height}')
        shot = self.browser.execute_cdp_cmd('Page.captureScreenshot', {
            'clip': {**box, 'scale': SHRUNK}, 'captureBeyondViewport': True})
        return decoded(b64decode(shot['data']))

    def middle(self, test):
        """(x, y) of the pixels of a kind, in pixels of the small picture."""
        pixels, width = self.pixels()
        found = like(pixels, test)
        self.assertGreater(len(found), 20)
        return sum(i % width for i in found) / len(found), sum(i // width for i in found) / len(found)

    def test_plays_and_pauses(self):
        self.open('pendulum')
        self.wait(lambda: self.at('play').text == 'Pause', 'it does not play by itself')
        self.set_speed('0.25')  # it must not end before the test does
        early, _ = self.pixels()
        start = self.clock()
        time.sleep(0.4)
        later, _ = self.pixels()
        self.assertGreater(self.clock(), start + 0.09)
        self.assertGreater(len(like(early, blue)), 100, 'no shapes to be seen')
        self.assertGreater(different(early, later), 100, 'nothing moves')
        self.at('play').click()
        stands, _ = self.pixels()
        stopped = self.clock()
        time.sleep(0.2)
        self.assertEqual((self.at('play').text, self.clock()), ('Play', stopped))
        self.assertEqual(different(stands, self.pixels()[0]), 0)
        body = self.browser.find_element(By.TAG_NAME, 'body')
        self.browser.execute_script('document.activeElement.blur()')
        body.send_keys(Keys.SPACE)
        self.wait(lambda: self.clock() > stopped, 'the space bar does not play')
        body.send_keys(Keys.SPACE)
        self.assertEqual(self.at('play').text, 'Play')

    def test_speed(self):
        """At 0.1x the page's time is a tenth of this clock's; the end stops it, and it starts again from there."""
        self.open('box', '#t=0')
        self.set_speed('0.1')
        start = time.monotonic()
        self.at('play').click()
        time.sleep(0.5)
        slow = self.clock()
        self.assertTrue(0.02 < slow < 0.1 * (time.monotonic() - start) + 1e-3, slow)
        self.set_speed('2')
        self.wait(lambda: self.at('play').text == 'Replay', 'it does not stop')
        self.assertEqual(self.clock(), 1.5)
        self.set_speed('0.1')
        self.at('play').click()
        self.assertLess(self.clock(), 1.4, 'from the start again')

    def test_address_sets_time(self):
        self.open('pendulum', '#t=0.45')
        self.assertEqual((self.clock(), self.at('play').text), (0.45, 'Play'))
        at_start, _ = self.pixels()
        self.seek(1.25)
        self.assertGreater(different(at_start, self.pixels()[0]), 100)

    def test_slider_scrubs(self):
        self.open('pendulum', '#t=0')
        before, _ = self.pixels()
        slider = self.at('time')
        half = slider.size['width'] / 2
        drag = ActionChains(self.browser).move_to_element_with_offset(slider, 8 - half, 0).click_and_hold()
        drag.move_by_offset(half - 8, 0).release().perform()
        self.assertAlmostEqual(self.clock(), 2, delta=0.05)
        self.assertGreater(different(before, self.pixels()[0]), 100)
        now = self.clock()
        slider.send_keys(Keys.ARROW_RIGHT)
        frame = self.clock() - now
        self.assertTrue(0 < frame < 0.02, frame)
        slider.send_keys(Keys.ARROW_RIGHT + Keys.ARROW_LEFT + Keys.ARROW_LEFT)
        self.assertLessEqual(self.clock(), now)

    def test_plots_follow(self):
        self.open('pendulum', '#t=1')
        plot, cursor = (self.browser.find_element(By.CSS_SELECTOR, f'.plot{more}') for more in ('', ' .cursor'))
        self.assertAlmostEqual((cursor.rect['x'] - plot.rect['x']) / plot.rect['width'], 0.1 + 0.88 / 4, delta=2e-3)
        # The axis as gnuplot drew it: the label "1" stands below the instant 1 s.
        labels = self.browser.execute_script(
            'return [...document.querySelectorAll(".plot svg text")].filter(t => t.textContent.trim() === "1")'
            '.map(t => { const b = t.getBoundingClientRect(); return b.x + b.width / 2; })')
        self.assertLess(min(abs(label - cursor.rect['x']) for label in labels), 3)
        ActionChains(self.browser).move_to_element_with_offset(plot, 0, 0).click().perform()
        self.assertAlmostEqual(self.clock(), 4 * (0.5 - 0.1) / 0.88, delta=0.01)

    def test_mouse_orbits_and_reset_returns(self):
        self.open('box', '#t=0.9')
        before, _ = self.pixels()
        canvas = self.browser.find_element(By.CSS_SELECTOR, '.stage canvas')
        ActionChains(self.browser).move_to_element(canvas).click_and_hold().move_by_offset(150, 40).release().perform()
        turned, _ = self.pixels()
        self.assertGreater(different(before, turned), 1000)
        self.browser.execute_cdp_cmd('Input.dispatchMouseEvent', {
            'type': 'mouseWheel', 'x': 600, 'y': 300, 'deltaX': 0, 'deltaY': 400})
        time.sleep(0.1)
        self.assertLess(len(like(self.pixels()[0], blue)), len(like(turned, blue)), 'the wheel does not zoom out')
        self.at('reset').click()
        self.assertEqual(different(before, self.pixels()[0]), 0)
        self.assertEqual(self.clock(), 0.9)

    def test_forces(self):
        """Sliding arrows are red, those at rest green; they can be switched off. At rest they carry the weight."""
        self.open('box', '#t=0')
        count = {}
        for instant, kind in ((0.23, red_arrow), (1.2, green_arrow)):
            self.seek(instant)
            for shown in (True, False):
                count[instant, shown] = len(like(self.pixels()[0], kind))
                self.at('show-forces').click()
            # A few pixels of the axes stay.
            self.assertGreater(count[instant, True], 3 * count[instant, False] + 10, instant)
        self.assertIn('corner0 4.9 N', self.at('now').text)

    def test_shapes_and_names(self):
        self.open('pendulum', '#t=0.3')
        self.assertGreater(len(like(self.pixels()[0], blue)), 100)
        self.at('show-shapes').click()
        self.assertLess(len(like(self.pixels()[0], blue)), 20)
        names = self.browser.find_elements(By.CSS_SELECTOR, '.stage .name')
        self.assertFalse(any(name.is_displayed() for name in names))
        self.at('show-names').click()
        self.pixels()
        self.assertEqual([name.text for name in names], ['upper', 'lower', 'x', 'y', 'z'])
        self.assertFalse(self.at('follow-label').is_displayed(), 'a fixed base needs no following')

    def test_follow(self):
        self.open('box', '#t=0')
        self.at('follow').click()
        before = self.middle(blue)
        self.seek(0.2)
        followed = self.middle(blue)
        self.assertLess(max(abs(a - b) for a, b in zip(before, followed)), 2)
        self.at('reset').click()
        self.assertGreater(abs(self.middle(blue)[1] - followed[1]), 5, 'seen from a fixed place it falls')

    def test_scenes(self):
        """The page of kinecast show has a player for each scene: the one in sight plays, and a click or key reaches its own."""
        self.open('scenes')
        first, second = self.browser.find_elements(By.CLASS_NAME, 'player')

        def clock(player):
            return float(player.find_element(By.CLASS_NAME, 'clock').text.split()[0])

        self.browser.execute_script('arguments[0].scrollIntoView()', first.find_element(By.CLASS_NAME, 'stage'))
        self.wait(lambda: clock(first) > 0, 'it does not play when it comes into sight')
        self.assertEqual(clock(second), 0, 'it plays out of sight')
        first.find_element(By.CLASS_NAME, 'play').click()
        stands = clock(first)
        before, _ = self.pixels()
        axis = second.find_element(By.CLASS_NAME, 'axis')
        self.browser.execute_script('arguments[0].scrollIntoView({block: "center"})', axis)
        ActionChains(self.browser).move_to_element(axis).click().perform()
        self.assertAlmostEqual(clock(second), 2.5, delta=0.01)
        cursor = second.find_element(By.CLASS_NAME, 'cursor')
        self.assertAlmostEqual(cursor.rect['x'] - axis.rect['x'], axis.rect['width'] / 2, delta=2)
        now = clock(second)
        second.find_element(By.CLASS_NAME, 'time').send_keys(Keys.ARROW_RIGHT)
        self.assertTrue(now < clock(second) < now + 0.02)
        self.assertEqual(clock(first), stands)
        self.assertIn('2 contacts: 2 rest', second.find_element(By.CLASS_NAME, 'now').text)
        self.seek(0.9)
        self.assertEqual(clock(second), 0.9, 'the address sets the time of all')
        self.assertGreater(different(before, self.pixels()[0]), 100)

    def test_desk(self):
        """View and controls are on one screen."""
        self.resize(*DESK)
        self.open('box', '#t=0.9')
        self.assertEqual(self.browser.execute_script('return document.documentElement.scrollWidth'), DESK[0])
        bottom = self.at('legend').rect['y'] + self.at('legend').rect['height']
        self.assertLess(bottom, DESK[1])
        self.assertGreater(self.at('stage').rect['height'], 0.5 * DESK[1])

    def test_phone(self):
        self.resize(*PHONE)
        for name in ('box', 'hostile'):
            self.open(name, '#t=0.9')
            self.assertEqual(self.browser.execute_script('return document.documentElement.scrollWidth'), PHONE[0], name)
            for left, right, tag in self.browser.execute_script(
                    'return [...document.querySelectorAll(".stage, .controls *, h1, table, pre")].map(e => {'
                    'const b = e.getBoundingClientRect(); return [b.left, b.right, e.tagName]; })'):
                self.assertGreaterEqual(left, 0, tag)
                self.assertLessEqual(right, PHONE[0] + 0.5, tag)
            bottom = self.at('play').rect['y'] + self.at('play').rect['height']
            self.assertLess(bottom, PHONE[1], 'play is below the screen')
        self.open('box', '#t=0.9')
        before, _ = self.pixels()
        touch = lambda kind, points: self.browser.execute_cdp_cmd(
            'Input.dispatchTouchEvent', {'type': kind, 'touchPoints': points})
        touch('touchStart', [{'x': 190, 'y': 250}])
        touch('touchMove', [{'x': 250, 'y': 270}])
        touch('touchEnd', [])
        self.assertGreater(different(before, self.pixels()[0]), 300)

    def test_dark(self):
        shade = {}
        for scheme in ('light', 'dark'):
            self.browser.execute_cdp_cmd('Emulation.setEmulatedMedia', {
                'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})
            self.open('box', '#t=0.9')
            pixels, width = self.pixels()
            shade[scheme] = sum(pixels[10 * width + width // 2]) / 3
            self.assertGreater(len(like(pixels, blue)), 500)
        self.browser.execute_cdp_cmd('Emulation.setEmulatedMedia', {'features': []})
        self.assertGreater(shade['light'], 220)
        self.assertLess(shade['dark'], 50)

    def test_hostile_names(self):
        page = (self.folder / 'hostile.html').read_text(encoding='utf-8')
        parser = Balanced(allowed=('script',))
        parser.feed(page)
        parser.close()
        self.assertEqual((parser.problems, parser.open), ([], []))
        self.assertEqual(parser.seen.count('script'), 5)
        self.assertFalse((self.folder / 'broken').exists(), 'a name was run as a command')
        self.open('hostile', '#t=0.3')
        self.assertEqual(self.browser.title, '<b>bad</b> & "names"')
        self.assertIn('links without a shape of their own', self.at('legend').text)
        self.assertGreater(len(like(self.pixels()[0], blue)), 100)
        self.at('show-names').click()
        self.pixels()
        names = self.browser.find_elements(By.CSS_SELECTOR, '.stage .name')
        self.assertEqual(names[0].text, "</script><script>document.title='broken'</script>")
        texts = self.browser.execute_script('return document.querySelector(".plot").textContent')
        for name in ("'; system('touch broken') #", '`touch broken`17 "\\\\140 @x </svg></script>'):
            self.assertIn(name, texts)

    def test_without_webgl(self):
        script = self.browser.execute_cdp_cmd('Page.addScriptToEvaluateOnNewDocument', {
            'source': 'HTMLCanvasElement.prototype.getContext = () => null;'})
        self.open('box', '#t=0.5')
        self.browser.execute_cdp_cmd('Page.removeScriptToEvaluateOnNewDocument', script)
        self.assertIn('shows no WebGL', self.at('stage').text)
        plots = self.browser.find_elements(By.CSS_SELECTOR, '.plot')
        ActionChains(self.browser).move_to_element(plots[0]).click().perform()
        self.assertAlmostEqual(self.clock(), 1.5 * (0.5 - 0.1) / 0.88, delta=0.01)


class Data(unittest.TestCase):
    def test_data(self):
        """At most 60 frames a second, the last one too, short numbers; what rests carries its weight."""
        with tempfile.TemporaryDirectory() as folder:
            page = make_page('box', pathlib.Path(folder)).read_text(encoding='utf-8')
        data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page, re.S).group(1))
        times = [frame[0] for frame in data['frames']]
        self.assertEqual((times[0], times[-1], data['duration_s']), (0, 1.5, 1.5))
        self.assertTrue(all(after - before > 1 / 60 - 1e-5 for before, after in zip(times, times[1:-1])))
        self.assertGreater(len(times), 1.5 * 55)
        self.assertNotRegex(page, r'[\[,]-?\d*\.\d{6,}[\],]')
        contacts = data['frames'][-1][2]
        self.assertEqual(len(contacts), 4 * 8)
        self.assertAlmostEqual(sum(contacts[5::8]), WEIGHT_N, delta=0.02)
        self.assertAlmostEqual(data['weight_N'], WEIGHT_N, delta=1e-9)
        for text in ('Joint positions', 'Contact forces', 'Energies', 'base.qw', 'corner3', 'kinetic', 'make_page box',
                     'MIT licence', 'Permission is hereby granted'):
            self.assertIn(text, page)
        self.assertNotIn('<h2>Commands</h2>', page, 'nothing is driven')


if __name__ == '__main__':
    missing = [name for name in ('chromium', 'chromedriver', 'gnuplot') if not shutil.which(name)]
    if webdriver is None:
        missing.append(f'selenium for {sys.executable}')
    if missing:
        print(f'skipped: {", ".join(missing)} missing (sh toolchains/setup.sh installs what Debian has)')
        sys.exit(77)  # ctest: skipped
    unittest.main()
