# SPDX-License-Identifier: MIT
"""tuspyserver, a tus server from PyPI: tuspyserver_app.py FOLDER PORT serves /files."""
import sys

import uvicorn
from fastapi import FastAPI
from tuspyserver import create_tus_router

app = FastAPI()
app.include_router(create_tus_router(prefix="files", files_dir=sys.argv[1]))
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error")
