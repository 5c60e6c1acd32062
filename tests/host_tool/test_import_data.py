"""kinecast import on robots as users have them, in folders that are not part of the project, held against Python's own reading."""
# SPDX-License-Identifier: MIT
import os
import pathlib
import sys
import unittest

import robot_header
from test_import import ImportTest


def data_robots():
    folder = os.environ.get('KINECAST_DATA_DIR')
    return sorted((pathlib.Path(folder) / 'data' / 'urdf').glob('*.urdf')) if folder else []


class DataRobots(ImportTest):
    def test_data(self):
        """Fixed and floating; the library takes all of them in one program."""
        self.assertGreaterEqual(len(data_robots()), 7)
        includes, checks = [], []
        for path in data_robots():
            for base in ('fixed', 'floating'):
                with self.subTest(f'{path.stem} {base}'):
                    run = self.run_tool('import', str(path), '-o', f'{path.stem}_{base}.hpp', '--base', base)
                    self.assertEqual((run.returncode, run.stderr), (0, ''))
                    header = (self.folder / f'{path.stem}_{base}.hpp').read_text(encoding='utf-8')
                    self.check_against_urdf(path, robot_header.read_header(header), base)
            includes.append(f'#include "{path.stem}_floating.hpp"\n')
            checks.append('static_assert(keeps_rules<robots::' + header.split('robots::')[1].split(',')[0] + '>);\n')
        self.write('all.hpp', ''.join(includes))
        self.compile(''.join(checks), header='all.hpp')


if __name__ == '__main__':
    if not data_robots():
        print('skipped: no data/urdf (set KINECAST_DATA_DIR to the folder that holds data/)')
        sys.exit(77)  # ctest: skipped
    unittest.main()
