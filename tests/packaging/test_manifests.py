"""The manifests against what their ecosystems document: PlatformIO's library.json, Arduino's library specification 1.5 (2.2),
the schema in Zephyr's zephyr_module.py, ESP-IDF's idf_component.yml; each read by a real parser.
"""
# SPDX-License-Identifier: MIT
import fnmatch
import json
import re
import unittest

import kconfiglib
import yaml

import release

SEMANTIC_VERSION = r'^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$'


def files_of(name):
    top = 'kinecast/' if name == 'arduino' else ''
    return {path[len(top):]: text for path, text in release.contents(release.archive(name)).items()}


class Manifest(release.ReleaseTest):
    def check(self, value, schema, where):
        """schema: a type; [schema] for lists; {key: schema} for tables, where a key with ? may be missing."""
        if isinstance(schema, list):
            self.assertIsInstance(value, list, where)
            self.assertTrue(value, where)
            for item in value:
                self.check(item, schema[0], where)
        elif isinstance(schema, dict):
            self.assertIsInstance(value, dict, where)
            known = {key.rstrip('?') for key in schema}
            needed = {key for key in schema if not key.endswith('?')}
            self.assertLessEqual(set(value), known, f'{where}: unknown keys')
            self.assertLessEqual(needed, set(value), f'{where}: missing keys')
            for key, kind in schema.items():
                if key.rstrip('?') in value:
                    self.check(value[key.rstrip('?')], kind, f'{where}.{key}')
        else:
            self.assertIsInstance(value, schema, where)
            if schema is str:
                self.assertTrue(value.strip(), f'{where} is empty')


class PlatformIO(Manifest):
    SCHEMA = {
        '$schema?': str, 'name': str, 'version': str, 'description': str, 'keywords': [str], 'license?': str,
        'authors?': [{'name': str, 'email?': str, 'url?': str, 'maintainer?': bool}], 'frameworks?': str, 'platforms?': str,
        'headers?': [str], 'examples?': [{'name': str, 'base': str, 'files': [str]}],
        'dependencies?': [{'owner?': str, 'name': str, 'version': str}],
    }

    def test_manifest(self):
        manifest = json.loads(files_of('platformio')['library.json'])
        self.check(manifest, self.SCHEMA, 'library.json')
        self.assertRegex(manifest['name'], r'^[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*$')
        self.assertLessEqual(len(manifest['name']), 50)
        self.assertRegex(manifest['version'], SEMANTIC_VERSION)
        self.assertLessEqual(len(manifest['version']), 20)
        self.assertLessEqual(len(manifest['description']), 255)
        for word in manifest['keywords']:
            self.assertRegex(word, r'^[a-z0-9]+(-[a-z0-9]+)*$')
        self.assertEqual(manifest['license'], 'MIT')
        self.assertIn('Eigen', manifest['dependencies'][0]['name'])

    def test_what_it_names_is_there(self):
        files = files_of('platformio')
        manifest = json.loads(files['library.json'])
        for header in manifest['headers']:
            self.assertIn(f'include/{header}', list(files))
        listed = [f'{example["base"]}/{file}' for example in manifest['examples'] for file in example['files']]
        self.assertEqual(sorted(listed), sorted(fnmatch.filter(files, 'examples/*')))

    def test_project_of_the_example(self):
        text = files_of('platformio')['examples/forecast/platformio.ini'].decode()
        for flag in ('-std=gnu++17', '-ffp-contract=off', '-fno-exceptions'):
            self.assertRegex(text, rf'(?m)^build_flags = .*{re.escape(flag)}')


class Arduino(Manifest):
    CATEGORIES = {'Display', 'Communication', 'Signal Input/Output', 'Sensors', 'Device Control', 'Timing', 'Data Storage',
                  'Data Processing', 'Other'}
    REQUIRED = {'name', 'version', 'author', 'maintainer', 'sentence', 'paragraph', 'category', 'url', 'architectures'}
    OPTIONAL = {'depends', 'dot_a_linkage', 'includes', 'precompiled', 'ldflags'}

    def properties(self):
        text = files_of('arduino')['library.properties'].decode()
        lines = [line for line in text.splitlines() if line and not line.startswith('#')]
        pairs = [line.split('=', 1) for line in lines]
        self.assertTrue(all(len(pair) == 2 for pair in pairs), 'a line is not key=value')
        self.assertEqual(len(dict(pairs)), len(pairs), 'a key stands twice')
        return dict(pairs)

    def test_manifest(self):
        manifest = self.properties()
        self.check(manifest, {**dict.fromkeys(self.REQUIRED, str), **{f'{key}?': str for key in self.OPTIONAL}},
                   'library.properties')
        self.assertRegex(manifest['name'], r'^[A-Za-z0-9][A-Za-z0-9 _.-]{0,62}$')
        self.assertFalse(manifest['name'].lower().startswith('arduino'))
        self.assertRegex(manifest['version'], SEMANTIC_VERSION)
        self.assertIn(manifest['category'], self.CATEGORIES)
        self.assertRegex(manifest['url'], r'^https?://[\w.-]+')
        name = r'[A-Za-z0-9][A-Za-z0-9 _.-]*?'
        self.assertRegex(manifest['depends'], rf'^{name}( \((<|<=|=|>=|>)\d+(\.\d+){{0,2}}\))?$')

    def test_what_it_names_is_there(self):
        files = files_of('arduino')
        for header in self.properties()['includes'].split(','):
            self.assertIn(f'src/{header.strip()}', list(files))
        # A sketch has the name of its folder.
        sketches = [path for path in files if path.endswith('.ino')]
        self.assertEqual(sketches, ['examples/Forecast/Forecast.ino'])

    def test_keywords(self):
        text = files_of('arduino')['keywords.txt'].decode()
        headers = b''.join(text for path, text in files_of('arduino').items() if path.endswith('.hpp')).decode()
        rows = [line.split('\t') for line in text.splitlines() if line and not line.startswith('#')]
        self.assertGreater(len(rows), 10)
        for word, kind in rows:
            self.assertIn(kind, {'KEYWORD1', 'KEYWORD2', 'LITERAL1'})
            self.assertRegex(headers, rf'\b{word}\b')


class Zephyr(Manifest):
    SCHEMA = {'name?': str, 'tests?': [str], 'samples?': [str], 'boards?': [str],
              'build?': {'cmake?': str, 'kconfig?': str, 'cmake-ext?': bool, 'kconfig-ext?': bool, 'depends?': [str]}}

    def test_manifest(self):
        files = files_of('zephyr')
        manifest = yaml.safe_load(files['zephyr/module.yml'])
        self.check(manifest, self.SCHEMA, 'module.yml')
        self.assertEqual(manifest['name'], 'kinecast')
        self.assertIn(f'{manifest["build"]["cmake"]}/CMakeLists.txt', list(files))
        self.assertIn(manifest['build']['kconfig'], list(files))
        for folder in manifest['samples']:
            self.assertTrue(fnmatch.filter(files, f'{folder}/*/sample.yaml'))

    def test_sample(self):
        sample = yaml.safe_load(files_of('zephyr')['samples/forecast/sample.yaml'])
        self.check(sample, {'sample': {'name': str, 'description': str}, 'tests': dict}, 'sample.yaml')
        test, = sample['tests'].values()
        for pattern in test['harness_config']['regex']:
            self.assertRegex('in 100 ms: 4392 and 5999 (1e-4 rad); took 1 us and 304 B of RAM', pattern)


class EspIdf(Manifest):
    SCHEMA = {'version': str, 'description': str, 'license?': str, 'tags?': [str], 'targets?': [str], 'url?': str,
              'maintainers?': [str], 'dependencies?': {'idf': {'version': str}}}

    def test_manifest(self):
        files = files_of('esp_idf')
        manifest = yaml.safe_load(files['idf_component.yml'])
        self.check(manifest, self.SCHEMA, 'idf_component.yml')
        self.assertRegex(manifest['version'], SEMANTIC_VERSION)
        self.assertEqual(manifest['license'], 'MIT')
        self.assertRegex(manifest['dependencies']['idf']['version'], r'^>=\d+\.\d+$')
        for tag in manifest['tags']:
            self.assertRegex(tag, r'^[a-z0-9_-]{3,32}$')

    def test_example_uses_this_component(self):
        files = files_of('esp_idf')
        example = yaml.safe_load(files['examples/forecast/main/idf_component.yml'])
        self.assertEqual(example, {'dependencies': {'kinecast': {'path': '../../..'}}})

    def test_options(self):
        folder = self.unpack('esp_idf', 'kinecast')
        options = kconfiglib.Kconfig(str(folder / 'Kconfig'), warn_to_stderr=False)
        self.assertEqual(options.warnings, [])
        self.assertEqual({name: symbol.str_value for name, symbol in options.syms.items() if symbol.nodes},
                         {'KINECAST_BIT_EQUAL': 'y'})


if __name__ == '__main__':
    unittest.main()
